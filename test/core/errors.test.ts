import { describe, expect, test } from "vitest";
import {
  asMachineError,
  errorCode,
  errorText,
  isRefusal,
  MachineError,
  placeText,
  UserError,
} from "../../src/core/errors.ts";

describe("a user's mistake", () => {
  test("reads as place, expected, got, remedy", () => {
    const error = new UserError("", {
      place: { file: "smoke.yaml", line: 14, column: 3, path: "matrix.seeds" },
      expected: "integers",
      got: '"abc"',
      remedy: "Write seeds: [1, 2].",
    });
    expect(error.message).toBe(
      'smoke.yaml:14:3 matrix.seeds: expected integers, got "abc". Write seeds: [1, 2].',
    );
    expect(error.exitCode).toBe(2);
  });

  test.each([
    [new UserError("no such study"), "no such study."],
    [new UserError("no such study", { remedy: "Run one." }), "no such study. Run one."],
    [new UserError("bad value", { expected: "a text", got: "3" }), "bad value: expected a text, got 3."],
    [new UserError("bad", { place: { path: "params" } }), "params: bad."],
    [new UserError("bad", { got: "3" }), "bad: got 3."],
  ])("leaves out what it does not know: %s", (error, message) => {
    expect(error.message).toBe(message);
  });

  test("names only the parts of a place that are known", () => {
    expect(placeText({ file: "a.yaml" })).toBe("a.yaml");
    expect(placeText({ file: "a.yaml", line: 0 })).toBe("a.yaml:0");
    expect(placeText(undefined)).toBe("");
  });
});

describe("errors from anywhere", () => {
  test("give their text and code", () => {
    expect(errorText(new Error("full"))).toBe("full");
    expect(errorText("full")).toBe("full");
    expect(errorCode(Object.assign(new Error("full"), { code: "ENOSPC" }))).toBe("ENOSPC");
    expect(errorCode({ code: "ENOSPC" })).toBeUndefined();
    expect(new MachineError("full").exitCode).toBe(74);
  });

  test.each(["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"])("are the machine's with %s", (code) => {
    expect(isRefusal(Object.assign(new Error("refused"), { code }))).toBe(true);
    expect(asMachineError(Object.assign(new Error("refused"), { code }))).toBeInstanceOf(MachineError);
  });

  test("are nobody's but their own where the machine did not refuse", () => {
    const missing = Object.assign(new Error("missing"), { code: "ENOENT" });
    expect(isRefusal(missing)).toBe(false);
    expect(asMachineError(missing)).toBe(missing);
  });
});
