import { errorText } from "../core/errors.ts";
import { type FailureKind, MODEL_FAILURES } from "./model.ts";

/** Why one try failed, and what that means for the next. */
export class CallFailure extends Error {
  readonly kind: FailureKind;
  /** The provider may have worked, and bill for it. */
  readonly mayBeBilled: boolean;
  /** As the provider asked; undefined where it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: Pick<CallFailure, "kind"> & Partial<Pick<CallFailure, "mayBeBilled" | "retryAfterMs">>,
  ) {
    super(message);
    this.kind = facts.kind;
    this.mayBeBilled = facts.mayBeBilled ?? false;
    this.retryAfterMs = facts.retryAfterMs;
  }

  get isTransient(): boolean {
    return MODEL_FAILURES[this.kind].isTransient;
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
/** As OpenAI, OpenRouter and Anthropic say it. Never by a word in a text: that of a rate limit speaks of billing, too. */
const NO_CREDIT = new Set([
  "insufficient_quota",
  "insufficient_balance",
  "insufficient_funds",
  "billing_error",
  "billing_not_active",
  "billing_hard_limit_reached",
]);
/** The one refusal for lack of credit that has the code of a wrong request. */
const LOW_BALANCE = /^your credit balance is too low/i;

/** `wallMs` is now, for a Retry-After that is a date. */
export function explainFailure(error: unknown, wallMs: number): CallFailure {
  if (error instanceof CallFailure) return error;
  const { statusCode: status, responseHeaders = {}, responseBody = "" } = (error ?? {}) as Thrown;
  const text = `${status === undefined ? "" : `HTTP ${status}: `}${deepText(error)}`.slice(0, LONGEST);
  if (status === undefined) return explainSilence(error, text);
  if (status < 300) return new CallFailure(text, { kind: "server", mayBeBilled: true });
  const kind = kindOfStatus(status, responseBody, text);
  return new CallFailure(text, {
    kind,
    ...(MODEL_FAILURES[kind].isTransient && { retryAfterMs: readRetryAfter(responseHeaders, wallMs) }),
  });
}

function explainSilence(error: unknown, text: string): CallFailure {
  const isNetwork =
    /fetch failed|terminated|socket|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|network|other side|connect/i;
  if (isNetwork.test(text))
    return new CallFailure(text, { kind: "network", mayBeBilled: !/ECONNREFUSED|ENOTFOUND/.test(text) });
  // An answer that is none: the provider, or something between, broke it. Anything else is no matter of calls.
  const isBroken = error instanceof Error && error.name.startsWith("AI_");
  return new CallFailure(text, { kind: isBroken ? "server" : "refused", mayBeBilled: true });
}

/** By the status first, and by a code where one status stands for several things. */
function kindOfStatus(status: number, body: string, text: string): FailureKind {
  if (status >= 500 || status === 408 || status === 409) return "server";
  const { codes, message } = readRefusal(body);
  if (status === 402 || codes.some((code) => NO_CREDIT.has(code))) return "credit";
  if (status === 429) return "rate-limit";
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "missing";
  if (status === 413) return "context";
  if (status === 400 && LOW_BALANCE.test(message)) return "credit";
  return status === 400 && TOO_LONG.test(`${text} ${body}`) ? "context" : "refused";
}

/** Providers say `{error: {code, type, status, message}}`, each with some of these. */
function readRefusal(body: string): { codes: string[]; message: string } {
  try {
    const { error = {} } = JSON.parse(body) as { error?: Record<string, unknown> };
    const codes = [error.code, error.type, error.status].filter((code) => typeof code === "string");
    return { codes, message: typeof error.message === "string" ? error.message : "" };
  } catch {
    return { codes: [], message: "" };
  }
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
