import type { Message } from "../core/message.ts";
import type { Owner } from "../core/run.ts";
import type { Usage } from "../core/trajectory.ts";

/** What a call of a model is for: each has its own account, also where the model is the same. */
export type Purpose = "agent" | "summary" | "retry" | "judge";

export interface ModelRequest {
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  purpose: Purpose;
  /** Runs with the same seed ask the same; providers that take no seed are told nothing. */
  seed: number;
  maxOutputTokens?: number;
  temperature?: number;
  signal: AbortSignal;
}

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of its input. */
  input: Record<string, unknown>;
}

export interface ModelAnswer {
  /** The assistant's message; its turn is set by whoever asked. */
  message: Message;
  usage: Usage;
  /** Null where the price is unknown. */
  costUsd: number | null;
  finish: "stop" | "tools" | "length" | "filter" | "other";
  /** Tries that it took; failed ones that may be billed count against the budget at their worst. */
  tries: number;
  /** Of the try that answered, without waiting. */
  wallMs: number;
  /** The provider did not say how many tokens it used: they are counted with our tokenizer. */
  isEstimated?: boolean;
}

/** A language model behind whatever protocol. Thrown: a ModelError, after all retries. */
export interface Model {
  /** `provider:model`, as prices and reports name it. */
  name: string;
  /** Tokens that a prompt and its answer may have together; null where unknown. */
  contextTokens: number | null;
  complete(request: ModelRequest): Promise<ModelAnswer>;
  /** Tokens of a prompt as this model would count them, as well as can be known. */
  countTokens(messages: readonly Message[], tools: readonly ToolSpec[]): number;
}

/**
 * Why a model gives no answer: whose doing that is, and whether asking again may help. What no agent could have
 * prevented (a full provider, a key, credit, a model that is gone, a recording without the call) is infrastructure's.
 */
export const MODEL_FAILURES = {
  "rate-limit": { owner: "infrastructure", isTransient: true },
  server: { owner: "infrastructure", isTransient: true },
  network: { owner: "infrastructure", isTransient: true },
  auth: { owner: "infrastructure", isTransient: false },
  credit: { owner: "infrastructure", isTransient: false },
  missing: { owner: "infrastructure", isTransient: false },
  recording: { owner: "infrastructure", isTransient: false },
  budget: { owner: "budget", isTransient: false },
  context: { owner: "agent", isTransient: false },
  format: { owner: "agent", isTransient: false },
  refused: { owner: "agent", isTransient: false },
} as const satisfies Record<string, { owner: Owner; isTransient: boolean }>;

export type FailureKind = keyof typeof MODEL_FAILURES;

/** A model gave no answer, after all retries. */
export class ModelError extends Error {
  readonly kind: FailureKind;
  /** What the failed tries cost, where known. */
  readonly costUsd: number;

  constructor(kind: FailureKind, message: string, costUsd = 0) {
    super(message);
    this.kind = kind;
    this.costUsd = costUsd;
  }
}
