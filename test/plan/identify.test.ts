import { describe, expect, test } from "vitest";
import type { Study } from "../../src/core/study.ts";
import { defaultLabel, fillLabel, slotHash } from "../../src/plan/identify.ts";
import { Plan } from "../../src/plan/plan.ts";
import { aRun, aStudy, axis } from "../support/a-study.ts";

const study = aStudy({ params: { lr: 0.1, net: { depth: 2, width: 8 } }, axes: [axis("n", 5)] });
const hashes = (changed: Study, program = "noop@1") =>
  [...new Plan(changed, program).runs()].map(({ id }) => id.slice(-12));
const [hash] = hashes(study) as [string];

describe("a run's identity", () => {
  test("is the same tomorrow: changing how it is made would run every study of every user again", () => {
    expect(hashes(aStudy())).toEqual(["532562cf8fa1"]);
  });

  test.each<[string, Partial<Study>]>([
    ["a parameter", { params: { ...study.params, lr: 0.2 } }],
    ["a parameter's type", { params: { ...study.params, lr: "0.1" } }],
    ["a new parameter", { params: { ...study.params, more: null } }],
    ["a value inside a parameter", { params: { lr: 0.1, net: { depth: 3, width: 8 } } }],
    ["the axis value", { axes: [axis("n", 6)] }],
    ["the variant's name", { variants: [{ name: "other", params: {}, flags: [] }] }],
    ["the variant's flags", { variants: [{ name: "baseline", params: {}, flags: ["--off"] }] }],
    ["the seed", { seeds: [2] }],
  ])("changes with %s", (_, part) => {
    expect(hashes({ ...study, ...part })).not.toContain(hash);
  });

  test("changes with the program and with the repeat", () => {
    expect(hashes(study, "noop@2")).not.toContain(hash);
    const repeated = hashes({ ...study, repeats: { warmup: 0, measured: 3 } });
    expect(repeated[0]).toBe(hash);
    expect(new Set(repeated).size).toBe(3);
  });

  test.each<[string, Partial<Study>]>([
    ["the order of keys", { params: { net: { width: 8, depth: 2 }, lr: 0.1 } }],
    [
      "a parameter moving from params to an axis",
      { params: { net: study.params.net! }, axes: [axis("lr", 0.1), axis("n", 5)] },
    ],
    ["jobs", { executor: { kind: "process", jobs: 8 } }],
    ["the folder of the results", { outRoot: "/elsewhere" }],
    ["the name", { name: "other" }],
    ["limits", { limits: { ...study.limits, timeoutMs: 5, retries: 3 } }],
    ["the label", { label: "other" }],
    ["what is kept", { artifacts: "none" }],
    ["how it is judged", { analysis: { metric: "x" }, question: "why?" }],
  ])("does not change with %s", (_, part) => {
    expect(hashes({ ...study, ...part })).toEqual([hash]);
  });
});

describe("the readable part of an id", () => {
  test("has the values of a template, without what is absent", () => {
    const template = "${policy}__wf${workflows}__seed${seed}__${variant}";
    expect(fillLabel(template, { policy: "full", workflows: 5, seed: 1, variant: "baseline" })).toBe(
      "full__wf5__seed1__baseline",
    );
    expect(fillLabel("${a}__${b}__${c}", { b: "x" })).toBe("x");
    expect(fillLabel("${constructor}", {})).toBe("");
  });

  test.each([
    ["../../etc/passwd", "etc-passwd"],
    ["a b\n\0c", "a-b-c"],
    ["x".repeat(200), "x".repeat(40)],
  ])("makes %j harmless", (value, expected) => {
    expect(fillLabel("${v}", { v: value })).toBe(expected);
  });

  test("never begins with a dot: such a folder would be hidden, and no run's", () => {
    const hidden = aStudy({ axes: [axis("path", "../data", "..", ".5")], tasks: ["..x"] });
    for (const label of [undefined, "${path}", "${task}", "..${seed}"])
      for (const { id } of new Plan({ ...hidden, ...(label && { label }) }, "p").runs())
        expect(id).toMatch(/^[^.]/);
  });

  test("names numbers by their axis and leaves words as they are", () => {
    expect(defaultLabel([axis("policy", "a", "b"), axis("n", 1, 2)])).toBe(
      "${policy}__n${n}__seed${seed}__${variant}",
    );
  });

  test("shows repeats where there are several, and no secret", () => {
    const repeated = aStudy({ repeats: { warmup: 0, measured: 2 }, axes: [axis("key", "sk-canary")] });
    const hide = (text: string) => text.replace("sk-canary", "hidden");
    const ids = [...new Plan(repeated, "p", hide).runs()].map(({ id }) => id.slice(0, -14));
    expect(ids).toEqual(["hidden__seed1__baseline__r0", "hidden__seed1__baseline__r1"]);
  });
});

describe("a place in the matrix", () => {
  test("stays the same when fixed parameters change, and differs by axis, seed and variant", () => {
    const slot = (part: Parameters<typeof aRun>[0]) => slotHash(aRun(part), ["n"]);
    const here = slot({ params: { n: 1, fixed: 1 } });
    expect(slot({ params: { n: 1, fixed: 2 } })).toBe(here);
    expect(slot({ params: { n: 2, fixed: 1 } })).not.toBe(here);
    expect(slot({ params: { n: 1 }, seed: 2 })).not.toBe(here);
    expect(slot({ params: { n: 1 }, variant: "off" })).not.toBe(here);
  });
});
