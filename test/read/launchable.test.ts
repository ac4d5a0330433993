import { relative } from "node:path";
import { expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { designOf } from "../../src/design/design.ts";
import { launchableOf } from "../../src/read/launchable.ts";
import { aStudy, axis } from "../support/a-study.ts";
import { recordsOf, studyFolder } from "../support/a-study-folder.ts";

const study = aStudy({
  ...{ axes: [axis("policy", "a", "b")], seeds: [1, 2, 3, 4] },
  analysis: { metric: "score", goal: "maximize", baseline: { policy: "a" } },
});
/** Two at a time, each for a second. */
const records = recordsOf(study, ({ params, seed }) => ({
  ...{ metrics: { score: seed + (params.policy === "b" ? Math.sin(seed * 5) / 2 + 0.5 : 0) }, wallMs: 1000 },
  startedAtMs: 1e12 + 1000 * seed,
}));
const launch = (command: string) => ({ at: "", command, specHash: "", program: "", plan: "" });
const spec = { path: `${process.cwd()}/dir/study.yaml`, dialect: "assay", hash: "", text: "" };

function launchable(command: string) {
  using dir = studyFolder(study, records, { spec, launches: [launch(command)], total: 8 });
  const file = JSON.parse(dir.read("study.json"));
  const design = designOf([{ label: "x", dir: dir.path, study, records }]);
  return { dir: dir.path, ...launchableOf({ dir: dir.path, study: file, records }, design)! };
}

test("the last launch's words are used again, without what was for that launch alone", () => {
  const words = "assay run dir/study.yaml -q --seeds 1..4 --jobs 2 --rerun failed -p x=3 --no-report";
  expect(launchable(words)).toMatchObject({
    ...{ command: "assay run dir/study.yaml --jobs 2 -p x=3", unit: "seed", runsPerUnit: 2, pending: 0 },
    msPerRun: 500,
  });
});

test("words that lost their quotes, or were said elsewhere, are not used", () => {
  for (const words of ["assay run dir/study.yaml --only policy == 'a'", "assay run study.yaml --jobs 2"]) {
    const { command, dir } = launchable(words);
    expect(command).toBe(`assay run dir/study.yaml --out-root ${relative(process.cwd(), `${dir}/..`)}`);
  }
});

test("compare ends with the command that would settle it", async () => {
  const launches = [launch("assay run dir/study.yaml -q")];
  using dir = studyFolder(study, records, { spec, launches, total: 8 });
  const { next, comparisons } = await compareStudies([dir.path]);
  const needed = comparisons[0]!.power!.neededN!;
  expect(next[0]).toContain(`${needed} seeds would settle it, about `);
  expect(next[0]).toContain(`\`assay run dir/study.yaml --seeds 1..${needed}\``);
});
