import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ReadRow, readTrajectories } from "../../src/api/read-trajectories.ts";
import { type Replay, replayTrajectories } from "../../src/api/replay-trajectory.ts";
import { runViewOf } from "../../src/read/run-view.ts";
import { aRecord } from "../support/a-study.ts";
import { outsideFiles } from "../support/outside-files.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { trajectoryFiles } from "../support/trajectory-files.ts";

const text = (format: string) => JSON.stringify(trajectoryFiles[format]);

function rowsOf(paths: string[]) {
  const rows: ReadRow[] = [];
  const summary = readTrajectories(paths, (row) => rows.push(row));
  return { rows, summary };
}

describe("reading trajectories", () => {
  test("walks folders in order, takes what is named so, and a broken file is one row", () => {
    using folder = new TempFolder({
      "b/two.traj": text("swe-agent-1"),
      "a/one.traj.json": text("mini-swe-agent-1"),
      "a/trajectory.json": text("atif v1.5"),
      "a/preds.json": "{}",
      "c/torn.traj": '{"trajectory": [',
    });
    symlinkSync(folder.path, `${folder.path}/loop`);
    const { rows, summary } = rowsOf([folder.path]);
    expect(rows.map(({ file }) => file.slice(folder.path.length + 1))).toEqual([
      ...["a/one.traj.json", "a/trajectory.json", "b/two.traj", "c/torn.traj"],
    ]);
    expect(rows[3]).toHaveProperty("problem", expect.stringContaining("cut off"));
    expect(summary).toMatchObject({ files: 3, broken: 1, submitted: 2 });
  });

  test("takes a file that is named itself whatever its name", () => {
    using folder = new TempFolder({ "notes.txt": text("swe-agent") });
    expect(rowsOf([`${folder.path}/notes.txt`]).summary.files).toBe(1);
  });

  test("of nothing says which names it looked for", () => {
    using folder = new TempFolder({ "preds.json": "{}" });
    expect(() => rowsOf([folder.path])).toThrow("*.traj");
    expect(() => rowsOf([`${folder.path}/none`])).toThrow("no such file or folder");
  });
});

describe("replaying trajectories", () => {
  const request = { params: {}, summaryTokens: 100 };
  async function replay(paths: string[], more: { strategy: string; model?: string }) {
    const all = [];
    for await (const one of replayTrajectories(paths, { ...request, ...more })) all.push(one);
    return all as Replay[];
  }

  test("as a whole counts what a whole conversation has", async () => {
    using folder = new TempFolder({ "a.traj": text("swe-agent-turns") });
    const [one] = await replay([folder.path], { strategy: "raw", model: "scripted" });
    expect(one?.asked).toEqual(one?.raw);
    expect(one?.asked.costUsd?.withIdealCache).toBeLessThan(one?.asked.costUsd?.withoutCache ?? 0);
    expect(one?.turns.map(({ recordedTokens }) => recordedTokens)).toEqual([80, 120]);
  });

  test("has no cost without a price and says why", async () => {
    using folder = new TempFolder({ "a.traj": text("swe-agent"), "b.traj": "{" });
    const [one, broken] = await replay([folder.path], { strategy: "observation_masking" });
    expect(one).toMatchObject({
      pricedAs: null,
      noPrice: expect.stringContaining("no model"),
      raw: { costUsd: null },
    });
    expect(broken).toHaveProperty("problem");
  });

  test("refuses strategies and models that are none", async () => {
    using folder = new TempFolder({ "a.traj": text("swe-agent") });
    await expect(replay([folder.path], { strategy: "observation_maskin" })).rejects.toThrow(
      "observation_masking",
    );
    await expect(replay([folder.path], { strategy: "raw", model: "gpt" })).rejects.toThrow("no such model");
  });

  const { isHere, path, note } = outsideFiles("trajectories");
  // Another tokenizer of the same maker: the counts must be near each other.
  test.skipIf(!isHere)(`of a real file counts within 3 % of what was sent${note}`, async () => {
    const [one] = await replay([path("sweagent-old-pydicom-1458.traj")], { strategy: "raw" });
    const ratio = one!.raw.promptTokens / one!.recorded.promptTokens!;
    expect(ratio).toBeGreaterThan(0.97);
    expect(ratio).toBeLessThan(1.03);
  });
});

describe("a run's view", () => {
  const options = { study: undefined, unitOf: () => null };
  const record = { ...aRecord({}), id: "r", files: ["trajectory.traj"] };

  test("has the trajectory that the run left", () => {
    using folder = new TempFolder({ "runs/r/out/trajectory.traj": text("swe-agent-turns") });
    const { trajectories } = runViewOf(folder.path, record, options);
    expect(trajectories).toMatchObject({
      shown: [{ file: "out/trajectory.traj", leftTurns: 0, turns: [{}, {}] }],
      left: 0,
    });
  });

  test("has one trajectory an instance, as many as there is room for", () => {
    const files = ["one.traj", "two.traj", "three.traj"].map((name) => `trajectories/${name}`);
    using folder = new TempFolder(
      Object.fromEntries(files.map((path) => [`runs/r/out/${path}`, text("assay")])),
    );
    const trajectoryRoom = { textChars: 1000, mostTurns: 1, most: 2 };
    const view = runViewOf(folder.path, { ...record, files }, { ...options, trajectoryRoom });
    expect(view.trajectories).toMatchObject({ shown: [{ leftTurns: 1 }, { leftTurns: 1 }], left: 1 });
  });

  test("has none of a broken file, of a link, or where there is none", () => {
    using folder = new TempFolder({ "runs/r/out/trajectory.traj": "{", "elsewhere.traj": text("swe-agent") });
    expect(runViewOf(folder.path, record, options)).not.toHaveProperty("trajectories");
    symlinkSync(`${folder.path}/elsewhere.traj`, `${folder.path}/runs/r/out/linked.traj`);
    const linked = runViewOf(folder.path, { ...record, files: ["linked.traj"] }, options);
    expect(linked).not.toHaveProperty("trajectories");
    expect(runViewOf(folder.path, { ...record, files: [] }, options)).not.toHaveProperty("trajectories");
  });
});
