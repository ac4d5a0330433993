import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TranscriptIndex } from "../../src/read/search-transcripts.ts";
import { TempFolder } from "../support/temp-folder.ts";

const record = (id: string, attempt = 1) =>
  `${JSON.stringify({
    ...{ id, params: {}, variant: "baseline", flags: [], seed: 1, task: null, repeat: 0, program: "p" },
    ...{ attempt, outcome: { status: "ok" }, metrics: {}, startedAtMs: 0, wallMs: 1, files: ["a.traj"] },
  })}\n`;

function write(dir: string, id: string, observations: string[]): void {
  const trajectory = observations.map((observation) => ({ thought: "", action: "cat x", observation }));
  mkdirSync(`${dir}/runs/${id}/out`, { recursive: true });
  const text = JSON.stringify({ trajectory, history: [], info: { exit_status: "submitted" } });
  writeFileSync(`${dir}/runs/${id}/out/a.traj`, text);
}

test("finds the turns that have all words, reads on as the study grows, and forgets what an attempt replaced", () => {
  using folder = new TempFolder();
  const dir = folder.path;
  write(dir, "one__000000000001", ["nothing", "the fuse is broken"]);
  write(dir, "two__000000000002", ["broken glass"]);
  writeFileSync(`${dir}/journal.jsonl`, record("one__000000000001") + record("two__000000000002"));
  const index = new TranscriptIndex(dir);
  expect(index.readOn(() => true)).toEqual({ read: 0, of: 2 });
  expect(index.readOn(() => false)).toEqual({ read: 2, of: 2 });
  expect(index.find("broken fu")).toEqual({
    count: 1,
    turns: [
      {
        run: "one__000000000001",
        file: "out/a.traj",
        turn: 2,
        text: expect.stringContaining("fuse is broken"),
      },
    ],
  });
  expect(index.find("broken").count).toBe(2);
  // What FTS5 would take for its own language are words here.
  expect(index.find('broken" OR NEAR(glass *').count).toBe(0);
  write(dir, "two__000000000002", ["whole again"]);
  writeFileSync(
    `${dir}/journal.jsonl`,
    record("one__000000000001") + record("two__000000000002") + record("two__000000000002", 2),
  );
  index.readOn(() => false);
  expect([index.find("glass").count, index.find("whole").count]).toEqual([0, 1]);
  index.close();
});

test("makes a damaged index anew", () => {
  using folder = new TempFolder();
  writeFileSync(
    `${folder.path}/transcripts.db`,
    "no database at all, but long enough to be read as one ".repeat(40),
  );
  writeFileSync(`${folder.path}/journal.jsonl`, "");
  const index = new TranscriptIndex(folder.path);
  expect(index.find("anything")).toEqual({ count: 0, turns: [] });
  index.close();
});

test("tells what stands around a hit, which is in sight on a short line", () => {
  using folder = new TempFolder();
  write(folder.path, "one__000000000001", [`${"word ".repeat(40)}needle in hay ${"more ".repeat(80)}`]);
  writeFileSync(`${folder.path}/journal.jsonl`, record("one__000000000001"));
  const index = new TranscriptIndex(folder.path);
  index.readOn(() => false);
  expect(index.find("needle").turns[0]!.text).toMatch(/^… (word ){1,3}needle in hay (more ){20,}/);
  index.close();
});
