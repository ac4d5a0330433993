import { errorCode, errorText } from "../../core/errors.ts";
import { sleep } from "../../host/clock.ts";

const FIRST_MS = 100;
const LONGEST_MS = 2000;

/** Does it again while the server is away or takes no writes: for what may be done twice. Other errors are thrown. */
export async function persist<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let waitMs = FIRST_MS; ; waitMs = Math.min(LONGEST_MS, waitMs * 2)) {
    try {
      return await action();
    } catch (error) {
      if (!isAway(error) || signal?.aborted) throw error;
      await sleep(waitMs);
    }
  }
}

/** Codes of Postgres: 08 connection, 53 out of resources (memory, disk, connections), 57 shut down or starting. */
const SQL_STATE = /^(08|53|57P)/;
/** OOM and MISCONF: a Redis without memory or disk takes no writes until it has some again. */
const AWAY =
  /connection (is |was )?(closed|terminated|ended|timeout)|timeout expired|terminating connection|not queryable|LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|NOREPLICAS|MISCONF|OOM command not allowed|^BUSY /i;
const CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

export function isAway(error: unknown): boolean {
  const code = errorCode(error) ?? "";
  return CODES.has(code) || SQL_STATE.test(code) || AWAY.test(errorText(error));
}
