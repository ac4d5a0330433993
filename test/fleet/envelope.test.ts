import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  describeEnvelope,
  type Envelope,
  type Kind,
  keyProof,
  OLDEST_PROTOCOL,
  open,
  PROTOCOL,
  Refusal,
  seal,
} from "../../src/fleet/envelope.ts";
import { protocolOf, type StudyMessage } from "../../src/fleet/protocol.ts";

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
    const other = seal("chunk", { runs: 1 }, { key: KEY, study: STUDY, program: "0.0.1" });
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
    const study = { name: "fit" } as StudyMessage;
    const told = (message: StudyMessage) =>
      seal("study", message, { key: KEY, study: STUDY, protocol: protocolOf(message) });
    expect(open("study", told(study), KEY, before).body).toEqual(study);
    expect(open("chunk", sealed(), KEY, before).body).toEqual({ runs: 3 });
    const shipped = told({ ...study, shipped: "noop@2" });
    expect(() => open("study", shipped, KEY, before)).toThrow(expect.objectContaining({ why: "version" }));
    expect(open("study", shipped, KEY).body).toMatchObject({ shipped: "noop@2" });
  });

  test("of each earlier protocol is kept, and still read", () => {
    const folder = fileURLToPath(new URL("../fixtures/fleet-messages/", import.meta.url));
    const kept = readdirSync(folder);
    expect(kept).toContain(`protocol-${OLDEST_PROTOCOL}.json`);
    vi.useFakeTimers({ now: Date.parse("2026-11-18T12:00:00Z") });
    onTestFinished(() => void vi.useRealTimers());
    for (const name of kept) {
      const messages = JSON.parse(readFileSync(`${folder}${name}`, "utf8")) as Record<Kind, Envelope>;
      for (const [kind, envelope] of Object.entries(messages))
        expect(open<{ is: string }>(kind as Kind, envelope, KEY).body.is, name).toBe(kind);
    }
  });
});

test("the proof of a key tells keys apart and does not hold the key", () => {
  expect(keyProof(KEY)).toBe(keyProof(KEY));
  expect(keyProof(KEY)).not.toBe(keyProof(`${KEY}.`));
  expect(keyProof(KEY)).not.toContain(KEY);
});
