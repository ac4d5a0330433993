import { expect, test } from "vitest";
import * as z from "zod";
import { describeParams } from "../../src/cli/describe-params.ts";
import type { Target } from "../../src/targets/target.ts";

const step = z.discriminatedUnion("dist", [
  z.strictObject({ dist: z.literal("constant"), ms: z.number().min(0) }),
  z.strictObject({ dist: z.literal("uniform"), low_ms: z.number().min(0) }),
]);
const params = z.strictObject({
  size: z.int().min(1).max(9).default(3).describe("How many"),
  tiers: z
    .array(z.strictObject({ price: z.number().default(0).describe("What a call costs") }))
    .default([{ price: 2 }]),
  service: z.strictObject({ plan: step, load: step }).optional(),
});

test("parameters are told with what is inside of them, and parts that are alike once", () => {
  const told = describeParams({ name: "t", params, run: () => ({}) } as Target);
  expect(told.map(({ name, type }) => `${name}: ${type}`)).toEqual([
    "size: integer 1..9",
    "tiers: list of object",
    "tiers[].price: number",
    "service: object",
    "service.plan: object",
    "service.load: object",
    'service.*.dist: "constant" | "uniform"',
    "service.*.ms: number 0..",
    "service.*.low_ms: number 0..",
  ]);
  expect(told.find(({ name }) => name === "tiers")).toMatchObject({ fallback: '[{"price":2}]' });
  expect(told.find(({ name }) => name === "tiers[].price")).toMatchObject({
    description: "What a call costs",
  });
});
