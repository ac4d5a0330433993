import { defineTarget, RandomStream, z } from "assay/plugin";

const LINE = /^(\d+) agent=(\d+) reward=(-?\d+\.\d+)$/;

/** Reads the log of an agent simulation line by line and adds up the rewards: the code whose speed is guarded. */
function sumRewards(lines: readonly string[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of lines) {
    const match = LINE.exec(line);
    if (match) sums.set(match[2]!, (sums.get(match[2]!) ?? 0) + Number(match[3]));
  }
  return sums;
}

export default defineTarget({
  name: "parse-log",
  description: "adds up rewards by agent from the lines of a log",
  params: z.strictObject({
    lines: z.int().min(1).max(1_000_000).default(1000).describe("Lines of the log"),
  }),
  metrics: {
    agents: { unit: "1", direction: "none", description: "Agents in the log" },
  },
  setup({ params, seed }) {
    const next = new RandomStream(seed, "log").sequence();
    return Array.from(
      { length: params.lines },
      (_, i) => `${i} agent=${Math.floor(next() * 50)} reward=${(next() - 0.5).toFixed(3)}`,
    );
  },
  run(_ctx, lines) {
    return { agents: sumRewards(lines).size };
  },
});
