import { testFile } from "./test-file.ts";

/** The files of a first instrument: the instrument, a study that uses it, and a test of both. */
export function instrumentFiles(name: string): Record<string, string> {
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
