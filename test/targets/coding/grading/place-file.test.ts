import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { placeFile } from "../../../../src/targets/coding/grading/grade-places.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

describe("a file of the grader's", () => {
  test("takes the place of whatever a patch put there, and never leaves the copy", () => {
    using folder = new TempFolder({ "outside/test.sh": "theirs", "repo/plain": "a file" });
    const repo = `${folder.path}/repo`;
    symlinkSync("../outside", `${repo}/tests`);
    placeFile(repo, "tests/test.sh", "ours");
    expect(folder.read("outside/test.sh")).toBe("theirs");
    expect(folder.read("repo/tests/test.sh")).toBe("ours");
    symlinkSync("../outside/test.sh", `${repo}/link.sh`);
    placeFile(repo, "link.sh", "ours");
    expect(folder.read("outside/test.sh")).toBe("theirs");
    mkdirSync(`${repo}/folder.sh/deep`, { recursive: true });
    placeFile(repo, "folder.sh", "ours");
    placeFile(repo, "plain/test.sh", "ours");
    expect(readFileSync(`${repo}/plain/test.sh`, "utf8")).toBe("ours");
  });

  test.each(["../x", "a/../../x", "", "."])("at %j is refused", (path) => {
    using folder = new TempFolder();
    expect(() => placeFile(folder.path, path, "")).toThrow("not a path inside");
  });
});
