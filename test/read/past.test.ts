import { chmodSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { gateOf } from "../../src/analysis/compare/gate.ts";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { rankStudy } from "../../src/api/rank-study.ts";
import type { Analysis, Study } from "../../src/core/study.ts";
import type { Launch, StudyFile } from "../../src/core/study-folder.ts";
import { noteLook } from "../../src/read/past.ts";
import { viewStudy } from "../../src/read/view-study.ts";
import { aStudy, axis } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";
import type { TempFolder } from "../support/temp-folder.ts";

const DECLARED: Analysis = { metric: "score", goal: "maximize", baseline: { policy: "fifo" } };
const SECOND = 1000;

function launch(atMs: number, part: Partial<Launch> = {}): Launch {
  const at = new Date(atMs).toISOString();
  return { ...{ at, command: "assay run", specHash: "f", program: "noop@1", plan: "p" }, ...part };
}

/** 2 policies x 20 seeds; run i begins at second i. */
function folder(
  part: Partial<StudyFile> &
    Pick<Partial<Study>, "order" | "analysis"> & { done?: number; lost?: number } = {},
): TempFolder {
  const { done = 40, lost, order, analysis = DECLARED, ...file } = part;
  const study = aStudy({
    ...(order && { order }),
    axes: [axis("policy", "fifo", "full")],
    seeds: Array.from({ length: 20 }, (_, i) => i + 1),
    analysis,
  });
  let at = 0;
  const records = recordsOf(study, ({ seed, params }) => ({
    startedAtMs: ++at * SECOND,
    ...(at === lost && { outcome: { status: "cancelled" as const } }),
    metrics: { score: (seed * 7919) % 13, other: seed + Number(params.policy === "full") },
  }));
  return studyFolder(study, records.slice(0, done), {
    total: 40,
    launches: [launch(0, { analysis })],
    ...file,
  });
}

async function standing(dir: string, request: Parameters<typeof compareStudies>[1] = {}) {
  const told = (await compareStudies([dir], request)).standing!;
  const view = await viewStudy(dir);
  if (request.metrics === undefined) expect(view.answer!.status).toBe(told.status);
  return told;
}

describe("an answer is declared", () => {
  test("where the file named metric and baseline before the first run, in compare and in the report", async () => {
    using study = folder();
    expect(await standing(study.path)).toEqual({
      status: "declared",
      why: "the study file named the metric and the baseline before the first run",
    });
  });

  test("and not where they were added after 34 of 40 runs", async () => {
    using study = folder({
      launches: [launch(0, { analysis: {} }), launch(34.5 * SECOND, { analysis: DECLARED })],
    });
    expect(await standing(study.path)).toEqual({
      status: "exploratory",
      why: "the study file named metric and baseline only after 34 of 40 runs had begun",
    });
    const { warnings } = await viewStudy(study.path);
    expect(warnings.map(({ text }) => text).join("\n")).toContain(
      "Exploratory: the study file named metric and baseline only after 34",
    );
  });

  test("and not where another metric, baseline or part is asked for", async () => {
    using study = folder();
    const { path } = study;
    expect(await standing(path, { metrics: ["other"] })).toMatchObject({
      why: expect.stringContaining("names score as its metric, not other"),
    });
    expect((await compareStudies([path], { baseline: "full" })).standing).toMatchObject({
      status: "exploratory",
    });
    expect((await compareStudies([path], { where: "seed < 10" })).standing).toMatchObject({
      status: "exploratory",
    });
  });

  test("in a folder of an older version as far as its launches tell", async () => {
    using same = folder({ launches: [launch(0), launch(20 * SECOND)] });
    expect((await standing(same.path)).status).toBe("declared");
    using edited = folder({ launches: [launch(0, { specHash: "e" }), launch(20 * SECOND)] });
    expect((await standing(edited.path)).status).toBe("exploratory");
  });
});

describe("looks at an answer", () => {
  const warningsOf = async (dir: string) =>
    (await compareStudies([dir])).warnings.map(({ text }) => text).join("\n");

  test("at an unfinished study are told so, wherever it is asked, and trip the gate on missing runs", async () => {
    using study = folder({ done: 30 });
    const told = "Unfinished: 30 of 40 planned runs are there.";
    const compared = await compareStudies([study.path]);
    expect(compared.warnings.map(({ text }) => text).join("\n")).toContain(told);
    expect((await rankStudy([study.path])).cautions.join("\n")).toContain(told);
    expect(gateOf(compared, { on: ["missing"] }).trips).toContainEqual({
      on: "missing",
      why: "only 30 of 40 planned runs are there.",
    });
    expect((await compareStudies([study.path, study.path].slice(0, 1))).progress).toEqual({
      done: 30,
      planned: 40,
    });
  });

  test("before the second arm ran, or had a value, say which arm is missing, in compare and in the report", async () => {
    for (const analysis of [DECLARED, { metric: "score", goal: "maximize" } as const]) {
      using half = folder({ done: 20, analysis, order: "planned" });
      await expect(compareStudies([half.path])).rejects.toThrow(
        "runs of one arm only so far: expected two or more to compare, got 20 of 40 planned runs, and none with policy full. Finish the study first",
      );
      expect((await viewStudy(half.path)).answer!.sentence).toMatch(
        /20 seeds\. There is no run with policy full yet, so nothing is compared\.$/,
      );

      using more = folder({ done: 21, analysis, order: "planned", lost: 21 });
      const why = "the only run of full has no value";
      expect((await viewStudy(more.path)).answer!.sentence).toContain(why);
      const { headlines, comparisons } = await compareStudies([more.path]);
      expect([...headlines, ...comparisons.map(({ sentence }) => sentence)].join("\n")).toContain(why);
    }
  });

  test("of two studies are told by their names", async () => {
    using done = folder();
    using half = folder({ done: 20 });
    const { warnings, progress } = await compareStudies([done.path, half.path]);
    expect(warnings.map(({ text }) => text).join("\n")).toMatch(/: Unfinished: 20 of 40 planned runs/);
    expect(progress).toEqual({ done: 60, planned: 80 });
  });

  test("count once for each number of runs, and the answer mentions them", async () => {
    using study = folder();
    expect(await warningsOf(study.path)).not.toContain("The answer was shown");
    for (const runs of [10, 20, 10, 40]) noteLook(study.path, runs);
    expect(study.read("looks.jsonl").trim().split("\n")).toHaveLength(3);
    expect(await warningsOf(study.path)).toContain(
      "The answer was shown 3 times, at 10, 20 and 40 runs. The plan was not changed by them, so p and intervals hold.",
    );
    expect((await viewStudy(study.path)).answer!.method).toContain("The answer was shown 3 times");
  });

  test("before more runs were added are a reason for doubt", async () => {
    const file = {
      launches: [
        launch(0, { analysis: DECLARED }),
        launch(Date.now() + 60_000, { analysis: DECLARED, plan: "more seeds" }),
      ],
    };
    using study = folder(file);
    noteLook(study.path, 20);
    expect(await warningsOf(study.path)).toContain(
      "Runs were added after a look, and every look is another chance for a false claim",
    );
  });

  test("never fail a reader: not in a folder that can't be written, nor at a line that was cut off", async () => {
    using study = folder();
    study.write("looks.jsonl", '{"at":"2026-01-01T00:00:00Z","runs":12}\n{"at":"2026-0');
    expect(await warningsOf(study.path)).toContain("shown 2 times, at 12 and 40 runs");
    chmodSync(`${study.path}/looks.jsonl`, 0o400);
    chmodSync(study.path, 0o500);
    try {
      expect(await warningsOf(study.path)).toContain("shown 2 times");
    } finally {
      chmodSync(study.path, 0o700);
    }
    using gone = folder();
    gone.write("looks.jsonl/in-the-way", "");
    expect(await warningsOf(gone.path)).not.toContain("shown");
    expect(readFileSync(`${gone.path}/looks.jsonl/in-the-way`, "utf8")).toBe("");
  });
});
