import type { ReadRow } from "../api/read-trajectories.ts";
import { csvCell } from "../core/escape.ts";

const HEADER = [
  ...[
    "file",
    "format",
    "instance",
    "model",
    "exit",
    "category",
    "limit",
    "submitted",
    "empty_submission",
    "resolved",
  ],
  ...["turns", "calls", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "cost_usd"],
  ...["agent_cost_usd", "summary_cost_usd", "retry_cost_usd", "wall_ms", "model_ms", "tool_ms"],
  ...["cache_hit_rate", "avg_tokens_per_turn", "masked", "checkpoints", "problem"],
];

export const TRAJECTORY_HEADER = HEADER.join(",");

/** One file, also a broken one; an empty cell is unknown. */
export function trajectoryLine(row: ReadRow): string {
  return cellsOf(row).map(csvCell).join(",");
}

function cellsOf(row: ReadRow): unknown[] {
  if ("problem" in row) return [row.file, ...HEADER.slice(2).map(() => null), row.problem];
  const { tokens, parts } = row;
  return [
    ...[row.file, row.format, row.instance, row.model, row.exit, row.category, row.limit],
    ...[row.isSubmitted, row.isEmpty, row.isResolved, row.turns, row.calls],
    ...[tokens.input, tokens.cached, tokens.output, tokens.reasoning, row.costUsd],
    ...[parts.agent?.costUsd, parts.summary?.costUsd, parts.retry?.costUsd],
    ...[row.wallMs, row.modelMs, row.toolMs, row.cacheHitRate, row.avgTokensPerTurn],
    ...[row.masked, row.checkpoints, null],
  ];
}
