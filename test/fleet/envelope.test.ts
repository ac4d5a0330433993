import { describe, expect, test } from "vitest";
import { describeEnvelope, keyProof, open, Refusal, seal } from "../../src/fleet/envelope.ts";

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

  test("of another version is refused as such; one that only claims to be is a forgery", () => {
    const other = seal("chunk", {}, { key: KEY, study: STUDY, program: "0.0.1" });
    expect(() => open("chunk", other, KEY)).toThrow(expect.objectContaining({ why: "version" }));
    const claimed = { ...sealed(), program: "0.0.1" };
    expect(() => open("chunk", claimed, KEY)).toThrow(expect.objectContaining({ why: "signature" }));
    expect(() => open("chunk", undefined as never, KEY)).toThrow(Refusal);
  });
});

test("the proof of a key tells keys apart and does not hold the key", () => {
  expect(keyProof(KEY)).toBe(keyProof(KEY));
  expect(keyProof(KEY)).not.toBe(keyProof(`${KEY}.`));
  expect(keyProof(KEY)).not.toContain(KEY);
});
