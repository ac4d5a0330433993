import { textAt } from "../json-fields.ts";
import type { TrajectoryReader } from "../reader.ts";
import { readMini } from "./read-mini.ts";

/** mini-swe-agent 2: calls of tools, their answers, and a last message that tells how it ended. */
export const miniOneOne: TrajectoryReader = {
  name: "mini-swe-agent-1.1",
  looksFor: 'trajectory_format "mini-swe-agent-1.1"',
  detects: (value) => /^mini-swe-agent-1\.\d+$/.test(textAt(value, "trajectory_format") ?? ""),
  read: (value, { name }) => readMini(value, { name, format: "mini-swe-agent-1.1" }),
};
