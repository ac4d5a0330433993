import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadPolicy, simulate } from "../../src/sched-sim/index.ts";
import { paramsSchema } from "../../src/sched-sim/params.ts";

const folder = new URL("../../../../examples/matrix-sweep/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");

describe("the example files", () => {
  it.each(["default.json", "smoke.json"])("%s has parameters that the simulator takes", (name) => {
    const { common_args, matrix } = JSON.parse(read(name));
    for (const policy of matrix.policy) {
      for (const workflows of matrix.workflows) paramsSchema.parse({ ...common_args, policy, workflows });
      for (const { flags } of matrix.ablations) {
        const off = Object.fromEntries(flags.map((flag: string) => [flag.replace("--", ""), true]));
        paramsSchema.parse({ ...common_args, policy, ...off });
      }
    }
  });

  it("native.yaml has parameters that the simulator takes", () => {
    const { params, matrix, variants } = parse(read("native.yaml"));
    for (const policy of matrix.policy) {
      for (const variant of variants) paramsSchema.parse({ ...params, policy, ...variant.params });
    }
  });

  it("patient.ts is a policy, faster than fifo_cheapest and hardly dearer", async () => {
    const patient = await loadPolicy("./patient.ts", folder.pathname);
    const params = paramsSchema.parse({ policy: "fifo_cheapest", trace: false });
    const fifo = simulate(params, 1).summary;
    const own = simulate(params, 1, patient).summary;
    expect(own.makespan_p95_ms).toBeLessThan(fifo.makespan_p95_ms!);
    expect(own.cost_mean).toBeLessThan(1.3 * fifo.cost_mean);
  });
});
