import { describe, expect, test } from "vitest";
import type { Job, Setting } from "../../src/core/executor.ts";
import {
  describeEnvelope,
  keyProof,
  OLDEST_PROTOCOL,
  open,
  PROTOCOL,
  Refusal,
  seal,
} from "../../src/fleet/envelope.ts";
import { protocolOf, type RunResult } from "../../src/fleet/protocol.ts";
import { keptMessages } from "../support/fleet.ts";

const KEY = "the key of this fleet";
const STUDY = "0123456789abcdef";
const sealed = () => seal("chunk", { runs: 3 }, { key: KEY, study: STUDY });

describe("a message", () => {
  test("opens with the key that sealed it", () => {
    expect(open("chunk", sealed(), KEY)).toMatchObject({ study: STUDY, body: { runs: 3 } });
  });

  test("is never twice the same, so that one can be told from its copy", () => {
    expect(open("chunk", sealed(), KEY).nonce).not.toBe(open("chunk", sealed(), KEY).nonce);
  });

  test("shows nothing of its body to those who have no key", () => {
    const params = { token: "open-sesame-1234" };
    const text = JSON.stringify(seal("chunk", { params }, { key: KEY, study: STUDY, what: "a run" }));
    expect(text).not.toContain("sesame");
    expect(describeEnvelope(JSON.parse(text))).toEqual({ study: STUDY, what: "a run" });
  });

  test.each([
    ["another key", () => open("chunk", sealed(), "the key of another fleet")],
    ["another kind", () => open("results", sealed(), KEY)],
    ["a changed payload", () => open("chunk", { ...sealed(), payload: "{}" }, KEY)],
    ["no signature", () => open("chunk", { ...sealed(), signature: "" }, KEY)],
    ["a signature that is none", () => open("chunk", { ...sealed(), signature: 7 as never }, KEY)],
  ])("is refused with %s", (_, attempt) => {
    expect(attempt).toThrow(expect.objectContaining({ name: "Refusal", why: "signature" }));
  });

  test("of another version of the package opens, where it speaks the same protocol", () => {
    const other = seal(
      "chunk",
      { runs: 1 },
      { key: KEY, study: STUDY, program: "0.0.1", protocol: PROTOCOL },
    );
    expect(open("chunk", other, KEY).body).toEqual({ runs: 1 });
  });

  test.each([OLDEST_PROTOCOL - 1, PROTOCOL + 1])("of protocol %i is refused as such", (protocol) => {
    const other = seal("chunk", {}, { key: KEY, study: STUDY, protocol });
    expect(() => open("chunk", other, KEY)).toThrow(expect.objectContaining({ why: "version" }));
  });

  test("that only claims to be of another version is a forgery", () => {
    for (const claimed of [{ program: "0.0.1" }, { protocol: 99 }])
      expect(() => open("chunk", { ...sealed(), ...claimed }, KEY)).toThrow(
        expect.objectContaining({ why: "signature" }),
      );
    expect(() => open("chunk", undefined as never, KEY)).toThrow(Refusal);
  });

  test("is read by the release before, unless it says what that would misread", () => {
    const before = { newest: PROTOCOL - 1, oldest: PROTOCOL - 1 };
    const told = (setting: Setting) =>
      seal("study", { setting }, { key: KEY, study: STUDY, protocol: protocolOf(setting), program: "9.9.9" });
    const command = { kind: "command", argv: ["true"], cwd: "/", watch: [] } as const;
    const setting = {
      target: command,
      plugins: [],
      queue: { priority: 1 },
      spentUsd: 1,
    } as unknown as Setting;
    expect(open("study", told(setting), KEY, before).body).toMatchObject({ setting: { plugins: [] } });
    expect(open("chunk", sealed(), KEY, before).body).toEqual({ runs: 3 });
    // 0.2.0 wants its own version there.
    expect(told(setting).program).toBe("0.2.0");
    const news: Partial<Setting>[] = [
      { target: { kind: "shipped", name: "noop" } },
      { services: [] },
      { models: { tries: 1 } },
      { plugins: ["sandbox.ts"] },
    ];
    for (const part of news) {
      const message = told({ ...setting, ...part });
      expect(() => open("study", message, KEY, before)).toThrow(expect.objectContaining({ why: "version" }));
      expect(open("study", message, KEY).body).toMatchObject({ setting: part });
      expect(message.program).toBe("9.9.9");
    }
  });

  test("of each earlier protocol is kept, and still read", () => {
    for (let protocol = OLDEST_PROTOCOL; protocol < PROTOCOL; protocol++) {
      const { launch, study, chunk, state, results } = keptMessages(protocol, KEY);
      const [{ run }] = chunk.body.jobs as [Job];
      const [{ runId, result }] = results.body.results as [RunResult];
      expect(launch.body.launches).toEqual([chunk.body.launch]);
      expect(protocolOf(study.body.setting)).toBe(OLDEST_PROTOCOL);
      expect([runId, state.body.runId]).toEqual([run.id, run.id]);
      expect(result).toMatchObject({
        outcome: { status: "ok" },
        metrics: { double: 2 * Number(run.item!.n) },
      });
    }
  });
});

test("the proof of a key tells keys apart and does not hold the key", () => {
  expect(keyProof(KEY)).toBe(keyProof(KEY));
  expect(keyProof(KEY)).not.toBe(keyProof(`${KEY}.`));
  expect(keyProof(KEY)).not.toContain(KEY);
});
