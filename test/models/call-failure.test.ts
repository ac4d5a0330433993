import { expect, test } from "vitest";
import { explainFailure, readRetryAfter } from "../../src/models/call-failure.ts";

const failure = (statusCode: number, responseBody = "", responseHeaders = {}) =>
  explainFailure(Object.assign(new Error("it said no"), { statusCode, responseBody, responseHeaders }), 0);

/** As they come: the text of the first ends in a link that speaks of billing. */
const OPENAI_RATE_LIMIT = JSON.stringify({
  error: {
    message:
      "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 4000. Please try again in 6s. To increase your rate limit, please visit https://platform.openai.com/account/billing",
    type: "tokens",
    param: null,
    code: "rate_limit_exceeded",
  },
});
const ANTHROPIC_NO_CREDIT = JSON.stringify({
  type: "error",
  error: {
    type: "invalid_request_error",
    message: "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.",
  },
});

test.each([
  [429, "", "rate-limit", true],
  [500, "", "server", true],
  [503, "", "server", true],
  [529, "", "server", true],
  [408, "", "server", true],
  [401, "", "auth", false],
  [403, "", "auth", false],
  [404, "", "missing", false],
  [402, "", "credit", false],
  [400, "", "refused", false],
  [400, "This model's maximum context length is 8192 tokens", "context", false],
  [413, "", "context", false],
  [429, '{"error": {"code": "insufficient_quota"}}', "credit", false],
  [429, '{"error": {"type": "insufficient_quota", "code": null}}', "credit", false],
  [429, OPENAI_RATE_LIMIT, "rate-limit", true],
  [500, '{"error": {"message": "see https://example.com/billing"}}', "server", true],
  [400, ANTHROPIC_NO_CREDIT, "credit", false],
  [403, '{"error": {"code": "billing_not_active"}}', "credit", false],
  [400, '{"error": {"code": "context_length_exceeded", "message": "no"}}', "context", false],
  [200, "{broken", "server", true],
])("HTTP %i %s is %s, tried again: %s", (status, body, kind, isTransient) => {
  expect(failure(status, body)).toMatchObject({ kind, isTransient });
});

test("a connection that broke may have cost something, one that never was did not", () => {
  const cut = explainFailure(new TypeError("terminated", { cause: new Error("other side closed") }), 0);
  expect(cut).toMatchObject({ kind: "network", isTransient: true, mayBeBilled: true });
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  expect(explainFailure(new TypeError("fetch failed", { cause: refused }), 0)).toMatchObject({
    mayBeBilled: false,
  });
});

test("Retry-After is read in seconds, as a date and in milliseconds", () => {
  const now = Date.UTC(2026, 0, 1);
  expect(readRetryAfter({ "retry-after": "7" }, now)).toBe(7000);
  expect(readRetryAfter({ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, now)).toBe(30_000);
  expect(readRetryAfter({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, now)).toBe(0);
  expect(readRetryAfter({ "retry-after": "2", "retry-after-ms": "1500" }, now)).toBe(1500);
  expect(readRetryAfter({ "retry-after": "soon" }, now)).toBeUndefined();
  expect(readRetryAfter({}, now)).toBeUndefined();
});

test("a bug of ours is not tried again", () => {
  expect(explainFailure(new TypeError("x is not a function"), 0)).toMatchObject({ isTransient: false });
  expect(explainFailure(undefined, 0)).toMatchObject({ isTransient: false });
});
