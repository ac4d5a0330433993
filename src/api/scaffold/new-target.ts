import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorText, UserError } from "../../core/errors.ts";
import type { FamilyName } from "../../core/family.ts";
import { executors } from "../../executors/index.ts";
import { makeFolders } from "../../host/files.ts";
import { instruments } from "../../instruments/index.ts";
import { PRESETS } from "../../models/model-spec.ts";
import { reporters } from "../../reporters/index.ts";
import { sandboxes } from "../../sandboxes/index.ts";
import { searchers } from "../../search/searchers/index.ts";
import { stoppers } from "../../search/stoppers/index.ts";
import { shippedTargets } from "../../targets/index.ts";
import { SCAFFOLDS, type ScaffoldFamily } from "./plugin-code.ts";
import { testFile } from "./test-file.ts";

export type NewKind = "target" | FamilyName;

/** Writes the files of a first target or plugin of a user's own; nothing that is there is touched. */
export function writeNew(kind: NewKind, name: string, dir: string): string[] {
  checkName(kind, name);
  const written =
    kind === "target"
      ? targetFiles(name)
      : kind === "instrument"
        ? instrumentFiles(name)
        : pluginFiles(kind, name);
  const files = Object.entries(written).map(([file, text]) => ({ path: join(dir, file), text }));
  const there = files.filter(({ path }) => existsSync(path)).map(({ path }) => path);
  if (there.length > 0)
    throw new UserError(`${there.join(", ")} ${there.length === 1 ? "exists" : "exist"} already`, {
      remedy: "Choose another name, or another folder with --dir. Nothing was written.",
    });
  try {
    makeFolders(dir);
    for (const { path, text } of files) {
      makeFolders(dirname(path));
      writeFileSync(path, text, { flag: "wx" });
    }
  } catch (error) {
    throw new UserError(`the files can't be written to ${dir} (${errorText(error)})`);
  }
  return files.map(({ path }) => path);
}

function checkName(kind: NewKind, name: string): void {
  if (!/^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/.test(name) || name.length > 60)
    throw new UserError(`the name of a ${kind}`, {
      expected: "small letters, digits, and single - or _ between them",
      got: JSON.stringify(name),
      remedy: "For instance sort-numbers.",
    });
  const shipped: Partial<Record<NewKind, object>> = {
    ...{ target: shippedTargets, instrument: instruments, executor: executors, reporter: reporters },
    ...{ searcher: searchers, stopper: stoppers, sandbox: sandboxes, model: PRESETS },
  };
  if (Object.hasOwn(shipped[kind] ?? {}, name))
    throw new UserError(`${name} is a ${kind} that ships with Assay`, { remedy: "Choose another name." });
}

/** The files of a first target: the target, a spec that runs it, and a test of both. */
function targetFiles(name: string): Record<string, string> {
  return {
    [`${name}.ts`]: target(name),
    [`${name}.yaml`]: spec(name),
    [`${name}.test.mjs`]: testFile(name, {
      metric: "largest_gap",
      wrong: "size=0",
      isRepeatable: true,
    }),
  };
}

const target = (name: string) => `import { defineTarget, RandomStream, z } from "assay/plugin";

export default defineTarget({
  name: "${name}",
  description: "sorts numbers and looks for the largest gap between two of them",

  // Checked before anything runs; what a study leaves out gets its default. \`assay run ${name}.yaml -p size=5000\`
  params: z.strictObject({
    size: z.int().min(2).max(10_000_000).default(1000).describe("How many numbers"),
  }),

  // Time needs no metric of its own: the instrument \`timing\` measures each call of run as duration_ms.
  metrics: {
    largest_gap: { unit: "1", direction: "none", description: "Largest distance of two neighbours" },
  },

  // Once a run, not timed. What it returns is handed to run and teardown.
  setup({ params, seed }) {
    // The same seed gives the same numbers, whatever else is drawn.
    const next = new RandomStream(seed, "numbers").sequence();
    return Float64Array.from({ length: params.size }, next);
  },

  // Once an iteration: this alone is timed. It may be async. An error here is a failed run, not the end of the study.
  run(_ctx, numbers) {
    const sorted = numbers.slice().sort();
    let largest = 0;
    for (let i = 1; i < sorted.length; i++) largest = Math.max(largest, sorted[i]! - sorted[i - 1]!);
    return { largest_gap: largest };
  },

  // Once at the end, also after an error in run: close files and connections here, or leave it out.
  teardown() {},
});
`;

const spec = (name: string) => `# assay run ${name}.yaml
experiment: ./${name}.ts
params: {}
sweep:
  size: [1000, 4000] # each value is an arm
iterations: { warmup: 3, measured: 20 }
interleave: { rounds: 5 } # arms take turns, so that a drift of the machine hits all alike
instrumentation: [timing]
seed: 42
`;

/** The files of a first instrument: the instrument, a study that uses it, and a test of both. */
function instrumentFiles(name: string): Record<string, string> {
  return {
    [`${name}.ts`]: instrument(name),
    [`${name}.yaml`]: study(name),
    [`${name}.test.mjs`]: testFile(name, { metric: "cpu_user_ms", isRepeatable: false }),
  };
}

const instrument = (name: string) => `import { defineInstrument, z } from "assay/plugin";

export default defineInstrument({
  name: "${name}",
  description: "processor time of this process while the body runs",

  // What a study may say beside the name: { name: ./${name}.ts, digits: 1 }
  options: z.strictObject({
    digits: z.int().min(0).max(6).default(3).describe("Digits that are kept"),
  }),

  // Called before each iteration; what it returns is called after it. The clock runs inside, so neither is timed.
  start({ options }) {
    const before = process.cpuUsage();
    return () => {
      const { user, system } = process.cpuUsage(before);
      const ms = (microseconds: number) => Number((microseconds / 1000).toFixed(options.digits));
      return { cpu_user_ms: ms(user), cpu_system_ms: ms(system) };
    };
  },
});
`;

const study = (name: string) => `# assay run ${name}.yaml
study: ${name}
target: noop # put the target that you measure here
iterations: 5
instruments: [timing, { name: ./${name}.ts, digits: 2 }]
`;

/** The files of a first plugin: the plugin, a study that uses it, and a test of both. */
function pluginFiles(family: ScaffoldFamily, name: string): Record<string, string> {
  const { code, study, more, checks } = SCAFFOLDS[family];
  const spec = study && `# assay run ${name}.yaml\nstudy: ${name}\nplugins: [./${name}.ts]\n${study(name)}`;
  return {
    [`${name}.ts`]: code(name),
    ...(spec !== undefined && { [`${name}.yaml`]: spec }),
    ...more?.(name),
    [`${name}.test.mjs`]: testOf(family, name, { checks: checks?.(name) ?? "", isRun: spec !== undefined }),
  };
}

function testOf(
  family: ScaffoldFamily,
  name: string,
  { checks, isRun }: { checks: string; isRun: boolean },
): string {
  const use = isRun
    ? `"run", "${name}.yaml", "--out-root", out, "--quiet"`
    : `"import", "results", "--format", "./${name}.ts", "--out-root", out`;
  return `// node --test ${name}.test.mjs
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const here = import.meta.dirname;

/** Calls assay, from node_modules here or else from PATH. */
function assay(...words) {
  const env = { ...process.env, PATH: \`\${join(here, "node_modules/.bin")}:\${process.env.PATH}\` };
  const { status, stdout, stderr, error } = spawnSync("assay", words, { cwd: here, env, encoding: "utf8" });
  assert.ifError(error); // ENOENT: assay is neither installed here nor in PATH
  assert.equal(status, 0, stdout + stderr);
}

test("${name} does what every ${family} promises", () => {
  assay("doctor", "--plugin", "${name}.ts"${checks});
});

test("${name} ${isRun ? "works in a study" : "reads results"}", () => {
  const out = mkdtempSync(join(tmpdir(), "${name}-"));
  try {
    assay(${use});
  } finally {
    rmSync(out, { recursive: true });
  }
});
`;
}
