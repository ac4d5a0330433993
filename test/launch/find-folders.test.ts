import { describe, expect, test } from "vitest";
import { findFolders } from "../../src/launch/load-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

describe("a pattern of folders", () => {
  test("means those of one level, sorted, without files and what is hidden", () => {
    using folder = new TempFolder({
      ...{ "tasks/b1/x": "", "tasks/a1/x": "", "tasks/a2/deep/x": "" },
      ...{ "tasks/.git/x": "", "tasks/a-file": "" },
    });
    const origin = { dir: "/nowhere/at", callerDir: folder.path };
    expect(findFolders("tasks/*", origin)).toEqual(["tasks/a1", "tasks/a2", "tasks/b1"]);
    expect(findFolders("./tasks/a?", origin)).toEqual(["./tasks/a1", "./tasks/a2"]);
    expect(findFolders("*/*/deep", origin)).toEqual(["tasks/a2/deep"]);
    expect(findFolders(`${folder.path}/tasks/b*`, origin)).toEqual([`${folder.path}/tasks/b1`]);
    expect(findFolders("tasks/c*", origin)).toEqual([]);
    expect(findFolders("tasks/[!b]1", origin)).toEqual(["tasks/a1"]);
    expect(findFolders("tasks/[ab]1", origin)).toEqual(["tasks/a1", "tasks/b1"]);
    expect(findFolders("tasks/{a2,b?}", origin)).toEqual(["tasks/a2", "tasks/b1"]);
    expect(findFolders("**/deep", origin)).toEqual(["tasks/a2/deep"]);
    expect(findFolders("tasks/**", origin)).toEqual([
      ...["tasks", "tasks/a1", "tasks/a2", "tasks/a2/deep", "tasks/b1"],
    ]);
    expect(findFolders("tasks/(a|b)1", origin)).toEqual([]);
  });

  test("that is a folder's very name means that folder", () => {
    using folder = new TempFolder({ "tasks/[a]/x": "", "tasks/a/x": "", "tasks/{b,c}/x": "" });
    const origin = { dir: "/nowhere/at", callerDir: folder.path };
    expect(findFolders("tasks/[a]", origin)).toEqual(["tasks/[a]"]);
    expect(findFolders("tasks/{b,c}", origin)).toEqual(["tasks/{b,c}"]);
  });

  test("is looked for where the command is called, then beside the file and above it", () => {
    using folder = new TempFolder({ "tasks/above/x": "", "configs/x": "", "elsewhere/x": "" });
    const origin = { dir: `${folder.path}/configs`, callerDir: `${folder.path}/elsewhere` };
    expect(findFolders("tasks/*", origin)).toEqual(["tasks/above"]);
    folder.write("configs/tasks/beside/x", "");
    expect(findFolders("tasks/*", origin)).toEqual(["tasks/beside"]);
  });
});
