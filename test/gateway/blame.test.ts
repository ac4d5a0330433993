import { describe, expect, test } from "vitest";
import { blame } from "../../src/gateway/blame.ts";
import type { GatewayCall } from "../../src/gateway/call.ts";
import type { FailureKind } from "../../src/models/model.ts";

const call = (kind?: FailureKind, model = "big"): GatewayCall => ({
  ...{ startedAtMs: 0, protocol: "openai-chat", model, status: kind ? 500 : 200 },
  ...{ usage: null, costUsd: null, firstTokenMs: null, wallMs: 1 },
  ...(kind && { failure: { kind, text: `because of ${kind}` } }),
});

describe("who is to blame for an agent's work, by its calls", () => {
  test("is nobody where its last call was answered, whatever came before", () => {
    expect(blame([call("rate-limit"), call()], "0")).toBeUndefined();
    expect(blame([call(), call("server"), call()], "1")).toBeUndefined();
  });

  test("is infrastructure where no call was answered, and where none was made", () => {
    expect(blame([call("auth"), call("auth")], "1")).toEqual({
      owner: "infrastructure",
      reason: "no call to its model was answered: because of auth",
    });
    expect(blame([], "127")?.reason).toContain("called no model before it ended (exit 127)");
    // A request that the provider can't take at all is no work of the agent's either.
    expect(blame([call("refused")], "1")?.owner).toBe("infrastructure");
  });

  test("is infrastructure where its model stopped answering", () => {
    expect(blame([call(), call("server"), call("server")], "0")).toEqual({
      owner: "infrastructure",
      reason: "its model stopped answering: because of server",
    });
  });

  test("is the budget where that ended it, and nobody where its own prompt became too long", () => {
    expect(blame([call(), call("budget")], "1")?.owner).toBe("budget");
    expect(blame([call(), call("context")], "1")).toBeUndefined();
  });

  test("is not judged by a small model beside the one that works", () => {
    expect(blame([call(), call(), call("server", "small")], "0")).toBeUndefined();
    expect(blame([call(undefined, "small"), call("auth"), call("auth")], "1")?.owner).toBe("infrastructure");
  });
});
