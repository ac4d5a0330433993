import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { differenceOf, makeProof, readReport } from "../../../src/targets/agent/proof.ts";
import { TempFolder } from "../../support/temp-folder.ts";

describe("a proof", () => {
  test.each([
    ["sh", ["-c", '. ./.assay/proof.sh\nreport "one\ntwo"'], "one\ntwo"],
    [
      "node",
      ["--input-type=module", "-e", 'import { report } from "./.assay/proof.mjs"; report({ a: [1] });'],
      '{"a":[1]}',
    ],
    ["node", ["-e", 'require("./.assay/proof.cjs").report(["x"])'], '["x"]'],
  ])("is given by %s, and its number is gone before the test begins", (program, args, report) => {
    const proof = makeProof();
    using folder = new TempFolder(proof.files);
    const { stdout, stderr } = spawnSync(program, args, { cwd: folder.path, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(readReport(stdout, proof)).toBe(report);
    expect(existsSync(`${folder.path}/.assay/nonce.json`)).toBe(false);
    expect(readReport(stdout, makeProof())).toBeUndefined();
  });
});

test("a report is compared with the answer, by its parts", () => {
  expect(differenceOf('{"b":[1.0000000001],"a":"x"}', { a: "x", b: [1] })).toBeUndefined();
  expect(differenceOf('{"a":{"b":[1,2]}}', { a: { b: [1, 3] } })).toBe("a.b.1: expected 3, got 2");
  expect(differenceOf('{"a":1,"c":2}', { a: 1 })).toBe("c: expected nothing, got 2");
  expect(differenceOf("[]", {})).toContain("expected {}");
  expect(differenceOf("not JSON", [1])).toBe("it reported no JSON");
  expect(differenceOf("two\nlines", "two\nlines")).toBeUndefined();
});
