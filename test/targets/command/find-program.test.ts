import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findProgram } from "../../../src/targets/command/find-program.ts";
import { TempFolder } from "../../support/temp-folder.ts";

describe("a program", () => {
  test("with a slash is taken from where the command runs, without one from PATH", () => {
    using folder = new TempFolder({ "bin/tool": "#!/bin/sh\n" });
    chmodSync(`${folder.path}/bin/tool`, 0o755);
    expect(findProgram("./bin/tool", folder.path)).toBe(`${folder.path}/bin/tool`);
    expect(findProgram("tool", "/", `/nowhere:${folder.path}/bin`)).toBe(`${folder.path}/bin/tool`);
  });

  test("that does not exist is told with both remedies: build it, or use a shipped target", () => {
    expect(() => findProgram("./build/sim", "/work")).toThrow(
      "the program ./build/sim does not exist: got /work/build/sim. Build it first, or leave sim_binary (or target:) to a shipped target: `assay list targets`.",
    );
    expect(() => findProgram("simm", "/", "/nowhere")).toThrow(
      'the program "simm" is not in PATH. Install it, or write ./simm',
    );
  });

  test("that can't be executed, or is a folder, says so", () => {
    using folder = new TempFolder({ "run.py": "print()" });
    expect(() => findProgram("./run.py", folder.path)).toThrow(
      `is not executable: got ${folder.path}/run.py. Run chmod +x`,
    );
    expect(() => findProgram(folder.path, "/")).toThrow("is not executable");
  });
});
