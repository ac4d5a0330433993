import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Lock, licenceProblems, uncheckedPackages } from "../../scripts/locked-packages.ts";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as Lock;
const withPackage = (path: string, entry: Lock["packages"][string]): Lock => ({
  packages: { ...lock.packages, [path]: entry },
});

describe("what Assay's users install", () => {
  test("is under licences that were allowed", () => {
    expect(licenceProblems(lock)).toEqual([]);
  });

  test("is refused under any other licence, or under none", () => {
    const integrity = "sha512-x";
    const copyleft = withPackage("node_modules/viral", {
      version: "1.0.0",
      license: "GPL-3.0-only",
      integrity,
    });
    expect(licenceProblems(copyleft)).toEqual(["viral@1.0.0: GPL-3.0-only"]);
    const inner = withPackage("node_modules/ai/node_modules/bare", { version: "2.0.0", integrity });
    expect(licenceProblems(inner)).toEqual(["bare@2.0.0: names no licence"]);
    const choice = withPackage("node_modules/dual", { license: "(GPL-3.0-only OR MIT)", integrity });
    expect(licenceProblems(choice)).toEqual([]);
    const tool = withPackage("node_modules/tool", { license: "GPL-3.0-only", integrity, dev: true });
    expect(licenceProblems(tool)).toEqual([]);
  });
});

describe("the lock file", () => {
  test("has the hash of every package that is no other platform's optional binary", () => {
    expect(uncheckedPackages(lock)).toEqual([]);
  });

  test("is refused where a package that everybody installs has none", () => {
    expect(uncheckedPackages(withPackage("node_modules/bare", { version: "1.0.0" }))).toEqual(["bare"]);
    const optional = { version: "1.0.0", optional: true };
    expect(uncheckedPackages(withPackage("node_modules/bare", optional))).toEqual(["bare"]);
  });
});
