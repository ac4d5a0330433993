import { field, isObject, listAt, textAt } from "../json-fields.ts";
import type { TrajectoryReader } from "../reader.ts";
import { readMini } from "./read-mini.ts";

/** mini-swe-agent 1: commands stand in the text of the answers. */
export const miniOne: TrajectoryReader = {
  name: "mini-swe-agent-1",
  looksFor: 'trajectory_format "mini-swe-agent-1", or messages beside info.mini_version',
  detects: (value) =>
    isObject(value) &&
    (textAt(value, "trajectory_format") === "mini-swe-agent-1" ||
      (listAt(value, "messages") !== undefined &&
        (field(value, "info", "mini_version") !== undefined ||
          isObject(field(value, "info", "model_stats"))))),
  read: (value, { name }) => readMini(value, { name, format: "mini-swe-agent-1" }),
};
