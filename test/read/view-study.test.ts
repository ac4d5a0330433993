import { mkdirSync, symlinkSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { failed, type RunRecord } from "../../src/core/run.ts";
import type { StudyFile } from "../../src/core/study-folder.ts";
import type { CurvesChart } from "../../src/plots/chart.ts";
import { forSharing } from "../../src/read/kept-view.ts";
import { commandFor } from "../../src/read/run-view.ts";
import { readStudy, runTable, viewRun, viewStudy } from "../../src/read/view-study.ts";
import { reportData } from "../../src/read/write-report.ts";
import { runTableOf } from "../../src/reporters/run-table.ts";
import type { TableView } from "../../src/reporters/study-view.ts";
import { aMatrix, product } from "../support/a-matrix.ts";
import { aRecord, aStudy, aStudyFile, axis } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";
import { trajectoryFiles } from "../support/trajectory-files.ts";

const study = aStudy({
  axes: [axis("policy", "fifo", "full")],
  seeds: [1, 2, 3, 4],
  analysis: { metric: "latency_ms", goal: "minimize", baseline: { policy: "fifo" } },
});

function folderOf(
  records: RunRecord[],
  file: Partial<StudyFile> = {},
  files: Record<string, string> = {},
): TempFolder {
  return new TempFolder({
    "study.json": JSON.stringify(aStudyFile({ study, total: records.length, ...file })),
    "journal.jsonl": records.map((record) => `${JSON.stringify(record)}\n`).join(""),
    ...files,
  });
}

/** fifo takes 100 ms, full 69, 70, 68 and 69. */
const records = aMatrix(product({ policy: ["fifo", "full"] }), [1, 2, 3, 4], ({ policy }, seed) => ({
  latency_ms: policy === "fifo" ? 100 : [69, 70, 68, 69][seed - 1]!,
}));

describe("the view of a study", () => {
  test("has a table of agents' instances: from the record of one task, from the trajectories of several", async () => {
    const one = aRecord({
      ...{ id: "one__000000000001", task: "b", seed: 1, params: { policy: "fifo" } },
      metrics: { n_instances: 1, n_solved: 1, total_turns: 7, total_summary_output_tokens: 5 },
      labels: { exit_status: "submitted" },
    });
    const several = aRecord({
      ...{ id: "several__000000000002", task: "a", seed: 2, params: { policy: "full" } },
      metrics: { n_instances: 2 },
    });
    const trajectory = JSON.stringify(trajectoryFiles.assay);
    const ofAgents = aStudy({ axes: study.axes, seeds: [1, 2], tasks: ["a", "b"] });
    using folder = folderOf(
      [one, several],
      { study: ofAgents },
      {
        [`runs/${several.id}/out/x.traj`]: trajectory,
        [`runs/${several.id}/out/y/z.traj`]: trajectory,
      },
    );
    const { tables } = await viewStudy(folder.path);
    const [{ title, header, rows, links }] = tables as [TableView];
    expect([title, header[0], header.at(-1)]).toEqual(["Instances", "instance_id", "run"]);
    const cell = (row: number, name: string) => rows[row]![header.indexOf(name)];
    expect(rows).toHaveLength(3);
    expect(links![0]).toEqual([several.id, several.id, one.id]);
    expect(cell(0, "instance_id")).toBe(cell(1, "instance_id"));
    expect(Number(cell(0, "n_turns"))).toBeGreaterThan(0);
    expect(
      ["instance_id", "exit_status", "solved", "n_turns", "summary_output_tokens", "run"].map((name) =>
        cell(2, name),
      ),
    ).toEqual(["b", "submitted", "yes", "7", "5", "fifo on b, seed 1"]);
    expect(header).not.toContain("review_score");
  });

  // Interval: see the answer's own test.
  test("has the answer, its status, charts and the commands behind it", async () => {
    using folder = folderOf(records);
    const view = await viewStudy(folder.path, { id: "here" });
    expect(view).toMatchObject({
      ...{ format: 1, id: "here", counts: { total: 8, ok: 8, failed: 0, cancelled: 0, missing: 0 } },
      answer: {
        sentence: "full beats fifo on latency_ms by 31.0 % [29.7, 32.3], 4 seeds, paired.",
        ...{ status: "declared", verdict: "better" },
      },
      metric: { name: "latency_ms", unit: "ms", goal: "minimize" },
    });
    expect(view.charts.map(({ id }) => id)).toEqual(["latency_ms_by_policy", "paired_differences"]);
    expect(view.reproduce).toContain("assay compare example");
  });

  test("has paired outcomes of yes and no as a table of two by two, in place of a chart", async () => {
    const analysis = { metric: "solve_rate", goal: "maximize", baseline: { policy: "fifo" } } as const;
    const tries = aMatrix(product({ policy: ["fifo", "full"] }), [1, 2, 3, 4], ({ policy }, seed) => ({
      solve_rate: policy === "fifo" ? Number(seed === 1) : Number(seed < 4),
    }));
    using folder = folderOf(tries, { study: { ...study, analysis } });
    const view = await viewStudy(folder.path);
    expect(view.charts.map(({ id }) => id)).not.toContain("paired_differences");
    expect(view.tables).toMatchObject([
      {
        title: "full against fifo: solve_rate, pair by pair",
        header: ["pairs", "full solved", "full not solved", "all"],
        rows: [
          ["fifo solved", "1", "0", "1"],
          ["fifo not solved", "2", "1", "3"],
        ],
      },
    ]);
  });

  test("warns of failures by owner, few seeds, uneven arms, and says where it is exploratory", async () => {
    const broken = records.map((record, i) =>
      i === 0 ? { ...record, outcome: failed("infrastructure", "no disk"), metrics: {} } : record,
    );
    using folder = folderOf(broken, {
      study: { ...study, analysis: {} },
      git: { dirty: true, commit: "c", branch: "b" },
    });
    const { warnings, answer, failures } = await viewStudy(folder.path);
    const text = warnings.map(({ text }) => text).join("\n");
    expect(answer?.status).toBe("exploratory");
    expect(text).toContain("1 of 8 runs failed (infrastructure: 1)");
    expect(text).toContain("At most 4 runs per cell");
    expect(text).toContain("between 3 and 4 good runs");
    expect(text).toContain("Missing in fifo: 1 by infrastructure failures");
    expect(text).toContain("Exploratory: the study file did not name the metric and the baseline");
    expect(text).toContain("uncommitted changes");
    expect(warnings.findIndex(({ level }) => level === "info")).toBeGreaterThan(
      warnings.findLastIndex(({ level }) => level === "warn"),
    );
    expect(failures).toEqual([
      {
        owner: "infrastructure",
        count: 1,
        reasons: [{ reason: "no disk", count: 1, ids: ["fifo-baseline-1"] }],
      },
    ]);
  });

  test("says that nothing is known where no run ended well, and nothing at all where none ended", async () => {
    using folder = folderOf(
      records.map((record) => ({ ...record, outcome: failed("agent", "exit 1"), metrics: {} })),
    );
    expect((await viewStudy(folder.path)).answer?.sentence).toBe(
      "No run has succeeded yet, so nothing is known about latency_ms.",
    );
    using empty = folderOf([]);
    expect(await viewStudy(empty.path)).toMatchObject({ answer: null, charts: [], cells: { rows: [] } });
  });

  test("calls arms that are numbers by what they are numbers of", async () => {
    const rates = aMatrix(product({ rate: [0.1, 0.4] }), [1, 2, 3, 4], ({ rate }, seed) => ({
      x: Number(rate) * 10 + seed,
    }));
    const own = aStudy({ axes: [axis("rate", 0.1, 0.4)], seeds: [1, 2, 3, 4] });
    using folder = folderOf(rates, { study: own });
    const view = await viewStudy(folder.path);
    expect(view.answer?.sentence).toContain("rate=0.4");
    expect(view.reproduce[1]).toBe("assay compare example --metric x");
  });

  test("has curves where runs kept series", async () => {
    const steps = (from: number) =>
      [0, 1, 2, 3].map((step) => JSON.stringify({ step, loss: from - step })).join("\n");
    const files = Object.fromEntries(
      records.map(({ id, seed }) => [`runs/${id}/series.jsonl`, `${steps(seed * 10)}\n`]),
    );
    using folder = folderOf(records, {}, files);
    const curves = (await viewStudy(folder.path)).charts.find(({ kind }) => kind === "curves");
    expect(curves).toMatchObject({ id: "curves_loss", subtitle: "Steps 0 to 3, 4 runs per arm" });
    // Seeds 1 to 4: mean 25 at the first step, 22 at the last.
    const { y } = (curves as CurvesChart).panels[0]!.curves[0]!;
    expect([y[0], y.at(-1)]).toEqual([25, 22]);
  });
});

describe("the view of a run", () => {
  const id = records[0]!.id;

  test("has what the run left: metrics with units, series, the ends of its outputs, its files, its command", async () => {
    const lines = Array.from({ length: 5000 }, (_, step) => JSON.stringify({ step, loss: 1 / (step + 1) }));
    using folder = folderOf(
      [{ ...records[0]!, files: ["a.txt", "../../../study.json"] }],
      {},
      {
        [`runs/${id}/series.jsonl`]: `${lines.join("\n")}\n{"step": 4`,
        [`runs/${id}/stdout.txt`]: "é".repeat(20_000),
        [`runs/${id}/out/a.txt`]: "hello",
      },
    );
    const run = (await viewRun(folder.path, id))!;
    expect(run.metrics).toEqual([{ name: "latency_ms", value: 100, unit: "ms" }]);
    expect(run.series).toMatchObject({ isThinned: true });
    expect(run.series!.step).toHaveLength(2000);
    expect([run.series!.step[0], run.series!.step.at(-1)]).toEqual([0, 4999]);
    expect(run.stdout).toMatchObject({ bytes: 40_000, isCut: true });
    expect(run.stdout!.text).toMatch(/^é+$/);
    expect(run.files.map(({ path }) => path)).toEqual(["stdout.txt", "series.jsonl", "out/a.txt"]);
    expect(run.command).toBe(`assay run /home/me/study.yaml --rerun ${id}`);
    expect(await viewRun(folder.path, "nobody")).toBeUndefined();
  });

  test("takes the newest record of the run", async () => {
    using folder = folderOf([
      records[0]!,
      { ...records[0]!, attempt: 2, metrics: { latency_ms: 7 } },
      records[1]!,
    ]);
    expect(await viewRun(folder.path, id)).toMatchObject({ attempt: 2, metrics: [{ value: 7 }] });
  });

  test("shows no file that is not the run's, whatever links and ids say", async () => {
    using secret = new TempFolder({ "passwd.txt": "secret", "stdout.txt": "secret" });
    const evil = ["../../elsewhere", "linked", "outside"].map((name) =>
      aRecord({ id: name, params: { policy: "fifo" } }),
    );
    using folder = folderOf(evil, {}, { "elsewhere/stdout.txt": "secret" });
    mkdirSync(`${folder.path}/runs/linked`, { recursive: true });
    symlinkSync(`${secret.path}/passwd.txt`, `${folder.path}/runs/linked/stdout.txt`);
    symlinkSync(secret.path, `${folder.path}/runs/outside`);
    for (const { id } of evil) {
      const run = await viewRun(folder.path, id);
      expect(run).toMatchObject({ id, stdout: null, files: [] });
    }
  });

  test("keeps what the launch said, and leaves out what it said of which runs to do", () => {
    const at = (command: string) => {
      const launch = { at: "", command, specHash: "", program: "", plan: "" };
      return commandFor(aStudyFile({ launches: [launch] }), "r1");
    };
    expect(at("assay run study.yaml --out-root there -p n=3 --fresh --rerun all -q")).toBe(
      "assay run /home/me/study.yaml --out-root there -p n=3 --rerun r1",
    );
    expect(at("assay run study.yaml --only policy == 'full'")).toBe(
      "assay run /home/me/study.yaml --rerun r1",
    );
    expect(at("assay something else")).toBe("assay run /home/me/study.yaml --rerun r1");
  });
});

describe("the data of a report", () => {
  async function dataOf(folder: TempFolder) {
    const read = await readStudy(folder.path);
    return reportData(read, await viewStudy(read), runTableOf(read.records));
  }

  test("is readable as it is where it is small, and holds every run in full", async () => {
    using folder = folderOf(records);
    const { data, encoded } = await dataOf(folder);
    expect(encoded.data.encoding).toBe("plain");
    expect(JSON.parse(encoded.data.text)).toEqual(JSON.parse(JSON.stringify(data)));
    expect(Object.keys(data.details)).toHaveLength(8);
    expect(data.left).toBe(0);
  });

  test("has a large table apart, so that the first screen need not wait for it", async () => {
    const many = Array.from({ length: 4000 }, (_, i) =>
      aRecord({ id: `run-${i}__${i * 7919}`, params: { policy: "fifo" }, seed: (i % 4) + 1, repeat: i }),
    );
    using folder = folderOf(many, { study: { ...study, repeats: { warmup: 0, measured: 4000 } } });
    const { data, encoded } = await dataOf(folder);
    const inflate = (text: string) => JSON.parse(inflateSync(Buffer.from(text, "base64")).toString());
    expect(inflate(encoded.runs!.text)).toEqual(JSON.parse(JSON.stringify(data.runs)));
    expect(inflate(encoded.data.text)).not.toHaveProperty("runs");
  });

  test("names the study file without saying where somebody's home is", async () => {
    using folder = folderOf(records);
    const read = await readStudy(folder.path);
    const pathOf = (path: string, studyDir = "/home/me/project/bench_runs/s") =>
      forSharing({ ...read, studyDir, study: { ...read.study, spec: { ...read.study.spec, path } } }).study
        .spec.path;
    expect(pathOf("/home/me/project/specs/s.yaml")).toBe("specs/s.yaml");
    expect(pathOf("/home/me/other/s.yaml")).toBe("s.yaml");
    expect(pathOf("/home/me/other/s.yaml", "/runs/s")).toBe("s.yaml");
    expect(pathOf("s.yaml")).toBe("s.yaml");
  });

  test("stays small where runs are many and loud: failed ones first, and it says how many are left out", async () => {
    const loud = Array.from({ length: 400 }, (_, i) =>
      aRecord({
        ...{ id: `r${i}`, params: { policy: "fifo" }, seed: (i % 4) + 1, repeat: i },
        ...(i % 100 === 99 ? { outcome: failed("agent", "exit 1") } : {}),
      }),
    );
    // Digits that don't compress: the fractions of a multiple of the golden ratio.
    const noise = (i: number) =>
      Array.from({ length: 700 }, (_, k) => String(((i * 700 + k) * 0.6180339887498949) % 1)).join("");
    const files = Object.fromEntries(loud.map(({ id }, i) => [`runs/${id}/stdout.txt`, noise(i)]));
    using folder = folderOf(loud, { study: { ...study, repeats: { warmup: 0, measured: 400 } } }, files);
    const { data, encoded } = await dataOf(folder);
    expect(encoded.data.encoding).toBe("deflate-base64");
    expect(encoded.data.text.length).toBeLessThan(1_200_000);
    expect(JSON.parse(inflateSync(Buffer.from(encoded.data.text, "base64")).toString()).left).toBe(data.left);
    expect(data.left).toBeGreaterThan(0);
    expect(data.left + Object.keys(data.details).length).toBe(data.runs.count);
    expect(Object.keys(data.details).slice(0, 4)).toEqual(["r99", "r199", "r299", "r399"]);
    expect((await runTable(folder.path)).count).toBe(400);
  });
});
