import { expect, test } from "vitest";
import { explainFailure, readRetryAfter } from "../../src/models/call-failure.ts";

const failure = (statusCode: number, responseBody = "", responseHeaders = {}) =>
  explainFailure(Object.assign(new Error("it said no"), { statusCode, responseBody, responseHeaders }), 0);

test.each([
  [429, "", "rate-limit", true],
  [500, "", "server", true],
  [503, "", "server", true],
  [529, "", "server", true],
  [408, "", "server", true],
  [401, "", "auth", false],
  [403, "", "auth", false],
  [404, "", "refused", false],
  [402, "", "refused", false],
  [400, "", "refused", false],
  [400, "This model's maximum context length is 8192 tokens", "context", false],
  [413, "", "context", false],
  [429, '{"error": {"code": "insufficient_quota"}}', "refused", false],
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
