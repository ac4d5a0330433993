import { describe, expect, test } from "vitest";
import { z } from "zod";
import { checkParams } from "../../src/targets/check-params.ts";
import { defineTarget, type Target } from "../../src/targets/target.ts";

const target = defineTarget({
  name: "mine",
  params: z.strictObject({
    rate: z.number().min(0).default(0.5),
    policy: z.enum(["fifo", "full"]).default("fifo"),
    deep: z.strictObject({ layers: z.array(z.int()) }).optional(),
  }),
  run: () => ({}),
}) as unknown as Target;

describe("the parameters of a target", () => {
  test("get their defaults", () => {
    expect(checkParams(target, { rate: 1 })).toEqual({ rate: 1, policy: "fifo" });
  });

  test.each([
    [{ rat: 1 }, 'target mine has no parameter "rat". Did you mean "rate"?'],
    [{ deep: { layers: [], width: 1 } }, 'target mine has no parameter "deep.width"'],
    [{ rate: "fast" }, "parameter rate of target mine: expected a number, got"],
    [{ rate: "fast" }, 'got "fast". See `assay list mine`.'],
    [{ policy: "lifo" }, 'expected one of "fifo", "full", got "lifo"'],
    [{ deep: { layers: [1, "x"] } }, "parameter deep.layers.1 of target mine"],
    [{ deep: {} }, "got nothing"],
  ])("that are wrong (%j) are named, with what they should be", (params, message) => {
    expect(() => checkParams(target, params as never)).toThrow(message);
  });
});
