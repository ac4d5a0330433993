import { errorText } from "../core/errors.ts";
import type { ModelError } from "./model.ts";

/** Why one try failed, and what that means for the next. */
export class CallFailure extends Error {
  readonly kind: ModelError["kind"];
  readonly isTransient: boolean;
  /** The provider may have worked, and bill for it. */
  readonly mayBeBilled: boolean;
  /** As the provider asked; undefined where it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: Pick<CallFailure, "kind"> & Partial<CallFailure>) {
    super(message);
    this.kind = facts.kind;
    this.isTransient = facts.isTransient ?? false;
    this.mayBeBilled = facts.mayBeBilled ?? false;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** What the `ai` package and fetch throw, by shape: their classes differ between versions of their packages. */
interface Thrown {
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
}

const LONGEST = 300;
const TOO_LONG =
  /context.{0,40}(length|window|limit)|maximum.{0,20}(context|tokens)|too (long|many tokens)|exceeds?.{0,30}tokens/i;
const NO_MONEY = /insufficient[_ ](quota|balance|funds)|billing/i;

/** `wallMs` is now, for a Retry-After that is a date. */
export function explainFailure(error: unknown, wallMs: number): CallFailure {
  if (error instanceof CallFailure) return error;
  const { statusCode: status, responseHeaders = {}, responseBody = "" } = (error ?? {}) as Thrown;
  const text = `${status === undefined ? "" : `HTTP ${status}: `}${deepText(error)}`.slice(0, LONGEST);
  const whole = `${text} ${responseBody}`;
  if (status === undefined) {
    const isNetwork =
      /fetch failed|terminated|socket|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|network|other side|connect/i;
    if (isNetwork.test(text))
      return new CallFailure(text, {
        kind: "network",
        isTransient: true,
        mayBeBilled: !/ECONNREFUSED|ENOTFOUND/.test(text),
      });
    // An answer that is none: the provider, or something between, broke it. Anything else is no matter of calls.
    const isBroken = error instanceof Error && error.name.startsWith("AI_");
    return new CallFailure(text, {
      kind: isBroken ? "server" : "refused",
      isTransient: isBroken,
      mayBeBilled: true,
    });
  }
  if (status < 300) return new CallFailure(text, { kind: "server", isTransient: true, mayBeBilled: true });
  const retryAfterMs = readRetryAfter(responseHeaders, wallMs);
  if (status === 402 || NO_MONEY.test(responseBody)) return new CallFailure(text, { kind: "refused" });
  if (status === 429) return new CallFailure(text, { kind: "rate-limit", isTransient: true, retryAfterMs });
  if (status === 401 || status === 403) return new CallFailure(text, { kind: "auth" });
  if (status === 413 || (status === 400 && TOO_LONG.test(whole)))
    return new CallFailure(text, { kind: "context" });
  if (status >= 500 || status === 408 || status === 409)
    return new CallFailure(text, { kind: "server", isTransient: true, retryAfterMs });
  return new CallFailure(text, { kind: "refused" });
}

/** `Retry-After` in seconds or as a date, and the milliseconds that some providers send beside it. */
export function readRetryAfter(headers: Record<string, string>, wallMs: number): number | undefined {
  const exact = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (exact >= 0) return exact;
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - wallMs);
}

/** fetch says only that it failed; its causes say why. */
function deepText(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 4; at = at.cause) {
    const code = "code" in at && !at.message.includes(String(at.code)) ? ` (${String(at.code)})` : "";
    texts.push(at.message + code);
  }
  return texts.length > 0 ? [...new Set(texts)].join(": ") : errorText(error);
}
