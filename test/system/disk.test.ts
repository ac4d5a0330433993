import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { preload } from "../support/preload.ts";
import { processesIn } from "../support/processes.ts";
import { SmallDisk } from "../support/small-disk.ts";

const recordsIn = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe("a full disk", () => {
  test("stops a study of programs with exit 74; what is written stays valid, and it goes on when there is space", async ({
    skip,
  }) => {
    await using project = await fixture("program", {
      "study.yaml": "{study: full, target: {command: [sh, program.sh]}, seeds: 60}",
      "program.sh": 'head -c 100000 /dev/zero >"$ASSAY_OUT_DIR/data" && echo "$ASSAY_SEED" >>done.txt',
    });
    using disk = new SmallDisk(project.path("disk"), "2m");
    skip(disk.refusal !== undefined, disk.refusal);
    const run = () => project.assay("run", "study.yaml", "--out-root", "disk");
    const full = await run();
    expect(full.code, full.stderr).toBe(74);
    expect(full.stderr).toMatch(/assay: .*(ENOSPC|no space).*run the same command again/);
    expect(full.stderr).not.toMatch(/^\s+at /m);

    const journal = project.path("disk/full/journal.jsonl");
    const ok = recordsIn(journal).filter(({ outcome }) => outcome.status === "ok");
    expect(ok.length).toBeGreaterThan(5);
    expect(() => JSON.parse(project.read("disk/full/study.json"))).not.toThrow();
    expect((await project.assay("status", "disk/full")).stdout).toContain(`${ok.length} ok`);

    const stillFull = await run();
    expect(stillFull.code, stillFull.stderr).toBe(74);
    expect(() => JSON.parse(project.read("disk/full/study.json"))).not.toThrow();

    disk.resize("30m");
    const before = project.lines("done.txt");
    const next = await run();
    expect(next.code, next.stderr + next.stdout).toBe(0);
    expect(next.stdout).toMatch(/\d+ ok, \d+ done before of 60 runs/);
    const latest = new Map(recordsIn(journal).map(({ id, outcome }) => [id, outcome.status]));
    expect([...latest.values()]).toEqual(Array(60).fill("ok"));
    for (const { seed } of ok) {
      expect(before, "what ended well was not repeated").toContain(String(seed));
      expect(project.lines("done.txt").filter((line) => line === String(seed))).toHaveLength(1);
    }
  });

  test("found while a run is under way ends it, and nothing is left behind", async ({ skip }) => {
    await using project = await fixture("program", {
      "study.yaml": "{study: full, target: {command: [sh, program.sh]}}",
      "program.sh": 'cat /dev/zero >"$ASSAY_OUT_DIR/data"; until [ -e go ]; do sleep 0.02; done',
    });
    using disk = new SmallDisk(project.path("disk"), "2m");
    skip(disk.refusal !== undefined, disk.refusal);
    const full = await project.assay("run", "study.yaml", "--out-root", "disk");
    expect(full.code, full.stderr).toBe(74);
    expect(full.stderr).not.toMatch(/^\s+at /m);
    expect(project.exists("disk/full/lock.json")).toBe(false);
    expect(processesIn(project.dir)).toEqual([]);
  });

  test("stops a study that keeps a journal alone, between two whole records", async ({ skip }) => {
    await using project = await fixture("program", {
      "study.yaml": "{study: full, target: noop, artifacts: none, seeds: 20000}",
    });
    using disk = new SmallDisk(project.path("disk"), "2m");
    skip(disk.refusal !== undefined, disk.refusal);
    const run = () => project.assay("run", "study.yaml", "--out-root", "disk", "--no-report");
    const full = await run();
    expect(full.code, full.stderr).toBe(74);
    expect(full.stderr).toContain("What was recorded before is safe; make room");
    const journal = project.path("disk/full/journal.jsonl");
    const kept = recordsIn(journal);
    expect(readFileSync(journal, "utf8").endsWith("}\n")).toBe(true);
    expect(kept.length).toBeGreaterThan(1000);
    disk.resize("100m");
    const next = await run();
    expect(next.code, next.stderr).toBe(0);
    const all = recordsIn(journal);
    const ok = all.filter(({ outcome }) => outcome.status === "ok").map(({ id }) => id);
    expect(ok).toHaveLength(20_000);
    expect(new Set(ok).size).toBe(20_000);
    expect(all.slice(0, kept.length)).toEqual(kept);
  });

  test("a folder that can't be made is one clear message", async () => {
    await using project = await fixture("program", { occupied: "a file" });
    const refused = await project.assay("run", "study.yaml", "--out-root", "occupied");
    expect(refused).toMatchObject({ code: 74, stdout: "" });
    expect(refused.stderr).toContain("occupied");
    expect(refused.stderr.trim().split("\n")).toHaveLength(1);
  });
});

test("a thread with too many files open stops the study with exit 74, not as a bug in Assay", async () => {
  await using project = await fixture("program", {
    "study.yaml": "{study: open, target: noop, seeds: 3, artifacts: all}",
  });
  project.env = preload("no-more-files");
  const { code, stderr } = await project.assay("run", "study.yaml");
  expect(code, stderr).toBe(74);
  expect(stderr).toMatch(/EMFILE.*run the same command again/);
});
