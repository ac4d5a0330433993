import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkParams } from "assay/plugin";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { outsideFiles } from "../../../../test/support/outside-files.ts";
import { sims } from "../../src/index.ts";

interface Experiment {
  experiment: string;
  params?: Record<string, unknown>;
  sweep?: Record<string, unknown[]>;
}

const ours = fileURLToPath(new URL("../../specs/", import.meta.url));
const specsIn = (dir: string) => readdirSync(dir).filter((name) => name.endsWith(".yaml"));

function experimentsOf(path: string): Experiment[] {
  const spec = parse(readFileSync(path, "utf8")) as Experiment & { experiments?: Experiment[] };
  return spec.experiments ?? [spec];
}

async function expectParams(path: string): Promise<void> {
  for (const { experiment, params = {}, sweep = {} } of experimentsOf(path)) {
    const target = await sims.targets[experiment]!();
    const { shape } = target.params as unknown as {
      shape: Record<string, { safeParse(v: unknown): { success: boolean } }>;
    };
    // A list sweeps where the target wants one value; in a sweep each of its values stands alone.
    const first = Object.entries(params).map(([name, value]) => {
      const isOne = shape[name]?.safeParse(value).success ?? true;
      return [name, isOne || !Array.isArray(value) ? value : value[0]];
    });
    const start = Object.fromEntries(first) as Record<string, unknown>;
    expect(() => checkParams(target, start as never)).not.toThrow();
    for (const [name, values] of Object.entries(sweep)) {
      for (const value of values) {
        const isOne = shape[name]!.safeParse(value).success;
        const swept = { ...start, [name]: isOne ? value : [value] };
        expect(() => checkParams(target, swept as never)).not.toThrow();
      }
    }
  }
}

describe("the specs", () => {
  // recommend_farm.yaml is a study of our own; `assay plan` checks its parameters before the sweep, and a system test runs it.
  const benchSpecs = specsIn(ours).filter((name) => name !== "recommend_farm.yaml");
  it.each(benchSpecs)("%s has only parameters that its targets take", (name) => expectParams(ours + name));

  it("have a file for each target of the suite, and README.md names each file", () => {
    const names = specsIn(ours);
    const used = new Set(
      names.flatMap((name) => experimentsOf(ours + name)).map(({ experiment }) => experiment),
    );
    const suite = Object.keys(sims.targets).filter((name) => /_/.test(name));
    expect(suite.filter((name) => !used.has(name))).toEqual([]);
    const readme = readFileSync(`${ours}README.md`, "utf8");
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });
});

const { isHere, names, path, note } = outsideFiles("bench-specs");
it.skipIf(!isHere)(
  `specs of the simulation that the suite follows have only such parameters${note}`,
  async () => {
    for (const name of names) await expectParams(path(name));
  },
);
