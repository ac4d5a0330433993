import type { Run, RunRecord } from "../../src/core/run.ts";
import type { Axis, Study } from "../../src/core/study.ts";
import type { StudyFile } from "../../src/core/study-folder.ts";

/** A whole study of which a test says only what it is about. */
export function aStudy(part: Partial<Study> = {}): Study {
  return {
    name: "example",
    target: { kind: "shipped", name: "noop" },
    params: {},
    axes: [],
    variants: [{ name: "baseline", params: {}, flags: [] }],
    seeds: [1],
    repeats: { warmup: 0, measured: 1 },
    iterations: { warmup: 0, measured: 1 },
    instruments: [],
    limits: { timeoutMs: 0, graceMs: 5000, retries: 0, backoffMs: 1000, stdoutBytes: 10_000_000 },
    executor: { kind: "", jobs: 1 },
    artifacts: "all",
    analysis: {},
    outRoot: "bench_runs",
    env: {},
    ...part,
  };
}

export function axis(name: string, ...values: Axis["rows"][number]): Axis {
  return { names: [name], rows: values.map((value) => [value]) };
}

export function aRun(part: Partial<Run> = {}): Run {
  const id = "a__seed1__baseline__0123456789ab";
  return { id, params: {}, variant: "baseline", flags: [], seed: 1, task: null, repeat: 0, ...part };
}

export function aRecord(part: Partial<RunRecord> = {}): RunRecord {
  return {
    ...aRun(),
    program: "noop@1",
    attempt: 1,
    outcome: { status: "ok" },
    metrics: {},
    startedAtMs: 1_700_000_000_000,
    wallMs: 1500,
    ...part,
  };
}

export function aStudyFile(part: Partial<StudyFile> = {}): StudyFile {
  return {
    format: 1,
    name: "example",
    program: "noop@1",
    study: aStudy(),
    total: 1,
    spec: { path: "/home/me/study.yaml", dialect: "native", hash: "f".repeat(64), text: "" },
    environment: { cpu: "a cpu", cores: 2, os: "Linux 6", node: "v20" },
    packages: {},
    git: null,
    launches: [
      { at: "2026-01-01T00:00:00Z", command: "assay run", specHash: "f", program: "noop@1", plan: "p" },
    ],
    ...part,
  };
}
