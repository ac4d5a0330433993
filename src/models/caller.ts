import type { Message } from "../core/message.ts";
import type { Usage } from "../core/trajectory.ts";
import type { ModelAnswer, ModelRequest } from "./model.ts";

/** One try at a call, without prices, limits or retries. Throws a CallFailure, or the signal's reason. */
export type Caller = (request: ModelRequest) => Promise<CallResult>;

export interface CallResult {
  message: Message;
  /** Undefined where the provider does not say. */
  usage: Usage | undefined;
  finish: ModelAnswer["finish"];
}
