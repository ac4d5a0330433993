import { expect, test } from "vitest";
import * as z from "zod";
import { estimateCells } from "../../src/launch/estimate-cells.ts";
import type { PreparedStudy } from "../../src/launch/prepare-study.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aStudy, axis } from "../support/a-study.ts";

const study = aStudy({ axes: [axis("agent", { name: "careful", command: ["a"] }, "hasty")], seeds: [1, 2] });

function prepared(estimate: (params: { agent: unknown }) => Promise<string>): PreparedStudy {
  const target = { name: "t", params: z.object({ agent: z.unknown() }), estimate };
  const plan = new Plan(study, "t@1");
  return { study, target, plan, spec: { path: "/home/me/study.yaml" } } as unknown as PreparedStudy;
}

test("each cell is called by its values' names, with what its target tells of it", async () => {
  const told = await estimateCells(prepared(async ({ agent }) => (agent === "hasty" ? "short" : "long")));
  expect(told).toEqual(["  careful (2): long", "  hasty (2): short"]);
});

test("what holds for every run is said once", async () => {
  expect(await estimateCells(prepared(async () => "in bubblewrap"))).toEqual(["  each run: in bubblewrap"]);
});
