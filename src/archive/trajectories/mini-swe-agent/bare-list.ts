import { textAt } from "../json-fields.ts";
import type { TrajectoryReader } from "../reader.ts";
import { readMini } from "./read-mini.ts";

/** The first mini-swe-agent wrote its messages and nothing else. */
export const miniBareList: TrajectoryReader = {
  name: "mini-swe-agent-0",
  looksFor: "a list of messages with role and content",
  detects: (value) => Array.isArray(value) && textAt(value[0], "role") !== null,
  read: (value, { name }) => readMini(value, { name, format: "mini-swe-agent-0" }),
};
