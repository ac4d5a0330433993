import type { Usage } from "../../core/trajectory.ts";

/** What one turn of an instance was, for series and trajectories. */
export interface Step {
  turn: number;
  thought: string;
  action: string;
  observation: string;
  usage: Usage;
  costUsd: number | null;
  /** Of summaries that were written before this turn. */
  summaryCostUsd: number | null;
  modelMs: number;
  toolMs: number;
  masked: number;
  promptTokens: number;
  /** The checkpoint that was made before this turn. */
  checkpoint?: string;
}
