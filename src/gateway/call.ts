import type { Usage } from "../core/trajectory.ts";
import type { FailureKind } from "../models/model.ts";

/** One call of an agent to its model, as the traffic shows it. */
export interface GatewayCall {
  startedAtMs: number;
  protocol: string;
  /** As the agent names it; null where its request does not say. */
  model: string | null;
  /** Of the answer; 0 where none came. */
  status: number;
  /** Why it is no answer; absent where it is one. `isOwnLimit`: the run had used up what it may take itself. */
  failure?: { kind: FailureKind; text: string; isOwnLimit?: true };
  /** Null where the provider did not say. */
  usage: Usage | null;
  /** Null where the price or the tokens are unknown. */
  costUsd: number | null;
  /** Answered from a cache: nobody was asked. `saved` is what it took and cost when somebody was, where known. */
  isCached?: true;
  saved?: { wallMs: number | null; costUsd: number | null };
  /** The agent's call before it to the same model got no answer. */
  isRetry?: true;
  /** The answer came event by event. */
  isStreamed?: true;
  /** Until the first token of the answer, or the whole of one that is not streamed; null where none came. */
  firstTokenMs: number | null;
  wallMs: number;
}
