import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runPrepared } from "../../src/api/run-study.ts";
import { UserError } from "../../src/core/errors.ts";
import { loadStudies, shippedSpec } from "../../src/launch/load-study.ts";
import { prepareStudy } from "../../src/launch/prepare-study.ts";
import { settleStudy } from "../../src/launch/settle-study.ts";
import { Plan } from "../../src/plan/plan.ts";
import { TempFolder } from "../support/temp-folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const EXAMPLES = join(ROOT, "examples");

/** Writing to it, or to anything below, throws. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const refuse = () => {
    throw new TypeError("a frozen map was written to");
  };
  if (value instanceof Map) Object.assign(value, { set: refuse, delete: refuse, clear: refuse });
  for (const part of value instanceof Map ? value.values() : Object.values(value)) frozen(part);
  return Object.freeze(value);
}

function studyFiles(): string[] {
  const own = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" }).map((name) =>
    join(EXAMPLES, name),
  );
  const shipped = readdirSync(shippedSpec("specs")).map((name) => shippedSpec(`specs/${name}`));
  return [...own, ...shipped].filter((path) => /\.(yaml|toml|json)$/.test(path)).sort();
}

/** The studies of every file here that is one: each dialect and most keys are among them. */
const loaded = studyFiles().flatMap((path) => {
  try {
    return loadStudies(path);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
});

test("every dialect has a study among them", () => {
  const dialects = new Set(loaded.map(({ spec }) => spec.dialect));
  expect([...dialects].sort()).toEqual([
    "bench-spec",
    "matrix-json",
    "native",
    "rollouts-toml",
    "wandb-sweep",
  ]);
});

describe("settling changes nothing of what was declared", () => {
  const titled = loaded.map((one) => [relative(ROOT, one.spec.path), one.study.name, one] as const);

  test.each(titled)("in %s, %s", async (_path, _name, one) => {
    frozen(one.study);
    const { study } = await settleStudy(one);
    frozen(study);
    expect((await settleStudy({ ...one, study })).study).toEqual(study);
    expect(() => new Plan(study, "program").count()).not.toThrow();
  });
});

test("a study is prepared and run without a change of what was declared or settled", async () => {
  using folder = new TempFolder({
    "study.yaml":
      "study: s\ntarget: noop\nmatrix: {value: [1, 2]}\nseeds: [1, 2]\ntasks: [a, b]\nanalysis: {metric: value, decide: {until: budget, range: [0, 2], history: earlier.csv}}\n",
    "earlier.csv": "agent,a,b\nfirst,2,0\nsecond,1,1\nthird,2,1\n",
  });
  const [one] = loadStudies(`${folder.path}/study.yaml`, {
    outRoot: folder.path,
    params: { n: 3 },
    costUsd: 1,
  });
  frozen(one!.study);
  const prepared = await prepareStudy(one!);
  frozen(prepared.study);
  const { summary } = await runPrepared(prepared);
  expect(summary).toMatchObject({ ok: 8 });
});
