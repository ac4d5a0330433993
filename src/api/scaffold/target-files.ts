import { testFile } from "./test-file.ts";

/** The files of a first target: the target, a spec that runs it, and a test of both. */
export function targetFiles(name: string): Record<string, string> {
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
