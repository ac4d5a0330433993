import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Base } from "../../../../src/targets/coding/workspace/base.ts";
import { SpareCopy } from "../../../../src/targets/coding/workspace/spare-copy.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

/** A base of one file, copied in two turns; the names of the copies. */
function aBase(): { base: Base; made: string[] } {
  const made: string[] = [];
  const copyTo = async (dir: string) => {
    made.push(dir.split("/").at(-1)!);
    mkdirSync(dir);
    await setImmediate();
    writeFileSync(`${dir}/file`, "content");
  };
  return { base: { copyTo } as unknown as Base, made };
}

describe("a spare copy", () => {
  test("is made once, moved once, and made anew for whoever comes later", async () => {
    using folder = new TempFolder();
    const { base, made } = aBase();
    const spare = new SpareCopy(base, folder.path);
    spare.make();
    spare.make();
    await spare.moveTo(`${folder.path}/first`);
    await spare.moveTo(`${folder.path}/second`);
    expect(made).toEqual(["spare", "second"]);
    expect(folder.read("first/file")).toBe("content");
    expect(folder.read("second/file")).toBe("content");
    expect(existsSync(`${folder.path}/spare`)).toBe(false);
  });

  test("that could not be made is told to who wants it, and to nobody else", async () => {
    using folder = new TempFolder({ "spare/in-the-way": "" });
    const { base } = aBase();
    const spare = new SpareCopy(base, folder.path);
    spare.make();
    await spare.settled();
    await expect(spare.moveTo(`${folder.path}/first`)).rejects.toThrow("EEXIST");
  });
});
