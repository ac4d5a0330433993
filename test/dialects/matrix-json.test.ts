import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Study } from "../../src/core/study.ts";
import { matrixJson } from "../../src/dialects/matrix-json.ts";
import { parseSource } from "../../src/dialects/source-file.ts";
import { Plan } from "../../src/plan/plan.ts";
import { studyFrom, studyOf } from "./source.ts";

const SMOKE = {
  name: "smoke",
  sim_binary: "./build/sim",
  out_root: "bench_runs",
  common_args: { pdfs: 10, iters: 3, enable_model_routing: true },
  matrix: {
    workflows: [5, 7],
    policy: ["fifo_cheapest", "full"],
    seeds: [1, 2],
    ablations: [
      { name: "baseline", flags: [] },
      { name: "no_hedge", flags: ["--disable_hedging"] },
    ],
  },
  jobs: 2,
};
const read = (spec: object) => studyFrom(JSON.stringify(spec, null, 2), "smoke.json");

describe("a matrix file", () => {
  test("is known by its keys", () => {
    expect(studyOf({ "smoke.json": JSON.stringify(SMOKE) }).dialect).toBe("matrix-json");
    expect(studyOf({ "a.json": '{"matrix": {"seeds": [1]}}' }).dialect).toBe("matrix-json");
    expect(studyOf({ "a.json": '{"target": "noop", "matrix": {"a": [1]}}' }).dialect).toBe("native");
  });

  test("becomes a study of the program, run from where the command was called", () => {
    expect(read(SMOKE)).toMatchObject({
      name: "smoke",
      target: {
        kind: "command",
        argv: ["./build/sim", "${args}", "--seed", "${seed}", "--out_dir", "${out_dir}"],
        cwd: "/called/from",
      },
      params: SMOKE.common_args,
      seeds: [1, 2],
      variants: [
        { name: "baseline", params: {}, flags: [] },
        { name: "no_hedge", params: {}, flags: ["--disable_hedging"] },
      ],
      executor: { jobs: 2 },
      outRoot: "bench_runs",
    });
  });

  test("keeps words for people as notes, and may take turns; a slip in a key is still told", () => {
    const study = read({ ...SMOKE, description: "a first look", tags: ["a"], order: "interleaved" });
    expect(study).toMatchObject({ notes: 'description: a first look\ntags: ["a"]', order: "interleaved" });
    expect(read(SMOKE)).not.toHaveProperty("notes");
    expect(() => read({ ...SMOKE, job: 2 })).toThrow('Did you mean "jobs"?');
  });

  test("of another program has no metric and no label of the simulator's", () => {
    const { analysis, label } = read({ sim_binary: "./bench", matrix: { size: [1, 2], seeds: [1] } });
    expect({ analysis, label }).toEqual({ analysis: {}, label: undefined });
    expect(read(SMOKE)).toMatchObject({ analysis: { metric: "makespan_p95_ms" }, label: expect.any(String) });
  });

  test("orders runs as the original tool does: product over sorted keys, then seed, then ablation", () => {
    const ids = [...new Plan(read(SMOKE), "sim").runs()].map(({ id }) => id.slice(0, -14));
    const expected = ["fifo_cheapest", "full"].flatMap((policy) =>
      [5, 7].flatMap((workflows) =>
        [1, 2].flatMap((seed) =>
          ["baseline", "no_hedge"].map((name) => `${policy}__wf${workflows}__seed${seed}__${name}`),
        ),
      ),
    );
    expect(ids).toEqual(expected);
  });

  test("without sim_binary uses the shipped simulator, where flags become parameters", () => {
    const { sim_binary: _, ...shipped } = SMOKE;
    const ablations = [
      { name: "odd", flags: ["--disable-hedging", "--heavy_tail_mult=5", "--mode=a=b", "--x=false"] },
    ];
    const study = read({ ...shipped, matrix: { ablations } });
    expect(study.target).toEqual({ kind: "shipped", name: "sched-sim" });
    expect(study.variants[0]!.params).toEqual({
      disable_hedging: true,
      heavy_tail_mult: 5,
      mode: "a=b",
      x: false,
    });
    expect(() => read({ ...shipped, matrix: { ablations: [{ name: "a", flags: ["x"] }] } })).toThrow(
      'matrix.ablations.0.flags.0: expected a flag such as --disable_hedging or --key=value, got "x"',
    );
  });

  test("takes its seed from common_args where the matrix has none, and 1 where there is none at all", () => {
    expect(read({ common_args: { seed: 9 }, matrix: {} })).toMatchObject({ seeds: [9], params: {} });
    expect(read({ common_args: {}, matrix: {} }).seeds).toEqual([1]);
    expect(read({ common_args: { seed: 9 }, matrix: { seeds: [3] } }).seeds).toEqual([3]);
    expect(() => read({ common_args: { seed: "9" }, matrix: {} })).toThrow(
      "common_args.seed: expected a number",
    );
  });

  test.each([
    [{ ...SMOKE, job: 3 }, 'smoke.json:37:3 job: unknown key "job". Did you mean "jobs"?'],
    [{ ...SMOKE, jobs: 0 }, "jobs: expected a number above 0, got 0"],
    [{ ...SMOKE, matrix: { policy: [] } }, "matrix.policy: expected at least 1 item"],
    [{ ...SMOKE, matrix: { policy: "full" } }, 'matrix.policy: expected a list, got "full"'],
    [{ ...SMOKE, matrix: { seeds: [1, 1] } }, "matrix.seeds: seed 1 is listed twice"],
    [{ ...SMOKE, matrix: { policy: ["a", "a"] } }, 'matrix.policy: "a" is listed twice'],
    [
      { ...SMOKE, matrix: { ablations: [{ name: "a" }, { name: "a" }] } },
      'matrix.ablations.1: the name "a" is given twice',
    ],
    [{ ...SMOKE, matrix: { ablations: [{ nme: "a" }] } }, "matrix.ablations.0"],
  ])("with a mistake says where it is: %#", (spec, message) => {
    expect(() => read(spec)).toThrow(message);
  });

  test("with all that the original tool's smoke test has is planned as there", () => {
    const path = fileURLToPath(new URL("../fixtures/sweep/smoke.json", import.meta.url));
    const file = parseSource(path, readFileSync(path, "utf8"), { dir: "/d", callerDir: "/c" });
    expect(matrixJson.detects(file)).toBe(true);
    const ids = [...new Plan(matrixJson.parse(file) as Study, "sim").runs()].map(({ id }) =>
      id.slice(0, -14),
    );
    expect(ids).toHaveLength(8);
    expect(ids[0]).toBe("fifo_cheapest__wf5__seed1__baseline");
  });
});
