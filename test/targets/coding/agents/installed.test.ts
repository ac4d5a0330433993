import { chmodSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { findAgent, installedVersions } from "../../../../src/targets/coding/agents/installed.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

const npm = { name: "@them/tool", tried: "1.0.0", program: "@them/tool/bin/tool.js" };
const wanted = { name: "tool", program: "tool", npm };
const before = { PATH: process.env.PATH, ASSAY_AGENTS_DIR: process.env.ASSAY_AGENTS_DIR };
afterEach(() => {
  process.env.PATH = before.PATH;
  if (before.ASSAY_AGENTS_DIR === undefined) delete process.env.ASSAY_AGENTS_DIR;
  else process.env.ASSAY_AGENTS_DIR = before.ASSAY_AGENTS_DIR;
});

function withVersions(...versions: string[]): TempFolder {
  const folder = new TempFolder({ "agents/tool/.installing-x/node_modules/nothing": "" });
  for (const version of versions) folder.write(`agents/tool/${version}/node_modules/${npm.program}`, "");
  process.env.ASSAY_AGENTS_DIR = `${folder.path}/agents`;
  process.env.PATH = `${folder.path}/bin`;
  return folder;
}

function putInPath(folder: TempFolder, printed: string): void {
  chmodSync(folder.write("bin/tool", `#!/bin/sh\necho ${printed}\n`), 0o755);
}

describe("an installed agent", () => {
  test("is listed with its versions, the newest first, and without what is not whole", () => {
    using _ = withVersions("0.9.1", "0.10.0", "1.0.0-beta.2", "1.0.0");
    expect(installedVersions("tool", npm)).toEqual(["1.0.0", "1.0.0-beta.2", "0.10.0", "0.9.1"]);
  });

  test("is the one in PATH, which tells its version, else the newest of ours", () => {
    using folder = withVersions("0.9.1", "0.10.0");
    const ours = `${folder.path}/agents/tool/0.10.0`;
    expect(findAgent(wanted)).toEqual({
      ...{ path: `${ours}/node_modules/${npm.program}`, version: "0.10.0", folder: ours },
    });
    putInPath(folder, "tool-cli 2.3.4");
    expect(findAgent(wanted)).toEqual({ path: `${folder.path}/bin/tool`, version: "2.3.4" });
  });

  test("tells the version of the package that it lies in, without being started", () => {
    using folder = withVersions();
    putInPath(folder, "9.9.9");
    folder.write("package.json", JSON.stringify({ name: "@them/tool-linux-x64", version: "2.0.0" }));
    expect(findAgent(wanted)).toMatchObject({ version: "2.0.0" });
  });

  test("of a version that a study names is that one, or a mistake with its remedy", () => {
    using folder = withVersions("0.9.1", "0.10.0");
    putInPath(folder, "2.3.4");
    expect(findAgent({ ...wanted, version: "0.9.1" })).toMatchObject({ version: "0.9.1" });
    expect(() => findAgent({ ...wanted, version: "0.8.0" })).toThrow(
      "tool 0.8.0 is not installed: got 0.10.0, 0.9.1. assay agents install tool@0.8.0",
    );
  });

  test("that is nowhere is a mistake with its remedy", () => {
    using _ = withVersions();
    expect(() => findAgent(wanted)).toThrow("assay agents install tool");
  });
});
