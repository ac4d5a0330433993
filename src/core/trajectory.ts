import type { Message } from "./message.ts";

/** What an agent did on one task, turn by turn, whatever tool wrote it down. Absent is unknown, never zero. */
export interface Trajectory {
  /** Which format it was read from. */
  format: string;
  instance: string | null;
  model: string | null;
  /** Which program it was, where the file says. */
  agent?: { name: string; version: string | null };
  /** As written; `exitCategory` in the analysis sorts it. */
  exitStatus: string | null;
  /** The patch that was submitted; null where none is known, "" where it was empty. */
  submission: string | null;
  /** What the tests said of it, where the file has that. */
  isResolved?: boolean;
  /** What a reviewer gave the submission, where attempts were reviewed. */
  reviewScore?: number;
  turns: Turn[];
  totals: Account & { wallMs?: number };
  /** What the totals are made of, where the file keeps the accounts apart. */
  parts?: { agent?: Account; summary?: Account; retry?: Account };
  /** What the agent was given before its first turn. */
  opening?: Message[];
  /** Limits that it ran under; they tell what an exit for cost was about. */
  limits?: { calls?: number; costUsd?: number };
  /** Checkpoints of which the file does not say before which turn they were made. */
  summaries?: string[];
}

/** What calls of a model came to. */
export interface Account extends Partial<Usage> {
  costUsd?: number;
  calls?: number;
}

export interface Turn {
  number: number;
  thought: string | null;
  action: string | null;
  observation: string | null;
  /** The calls of tools that the action is made of, where the file tells them apart. */
  calls?: TurnCall[];
  /** What it was told besides answers, which is a part of the observation; only beside `calls`. */
  notices?: string[];
  /** Of this turn's calls of the model. */
  usage?: Partial<Usage>;
  costUsd?: number;
  /** From the question to the model until the tool's answer: set where both parts are known. */
  wallMs?: number;
  modelMs?: number;
  toolMs?: number;
  /** What the context strategy did before this turn: what it masked, what it summarised. */
  context?: { masked?: number; checkpoint?: string; promptTokens?: number };
}

export interface TurnCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** Null where none came. */
  answer: string | null;
}

/** Tokens of model calls. Cached ones are not in `input`. */
export interface Usage {
  input: number;
  cached: number;
  output: number;
  /** A part of `output`. */
  reasoning: number;
  /** A part of `input` that the provider kept for later calls, which costs more; absent where it is none. */
  cacheWritten?: number;
}

/** All of them, in and out. */
export const tokensOf = ({ input, cached, output }: Usage): number => input + cached + output;
