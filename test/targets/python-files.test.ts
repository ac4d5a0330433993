import { relative } from "node:path";
import { describe, expect, test } from "vitest";
import { fingerprint, programFiles } from "../../src/targets/fingerprint.ts";
import { pythonFiles } from "../../src/targets/python/python-files.ts";
import { TempFolder } from "../support/temp-folder.ts";

const FILES = {
  "train.py": `import os, helpers as h, json
from model.net import (
    Net,
)
from model import loss
if True:
    import late
import numpy as np
from absent.module import thing
`,
  "helpers.py": "x = 1",
  "late.py": "import train",
  "model/__init__.py": "",
  "model/net.py": "from . import layers\nfrom .deep.block import Block\nfrom ..helpers import x",
  "model/layers.py": "",
  "model/loss.py": "",
  "model/deep/block.py": "class Block: pass",
  "unrelated.py": "",
};

describe("the files of a Python program", () => {
  test("are those of the project that it imports, and theirs", () => {
    using folder = new TempFolder(FILES);
    const found = pythonFiles(`${folder.path}/train.py`).map((path) => relative(folder.path, path));
    expect(found).toEqual(
      Object.keys(FILES)
        .filter((name) => name !== "unrelated.py")
        .sort(),
    );
  });

  test("count with its command, by path or as a module", async () => {
    using folder = new TempFolder(FILES);
    for (const argv of [
      ["python3", "train.py"],
      ["python3", "-m", "train"],
      ["${interpreter}", "train.py"],
    ]) {
      const ref = { kind: "command" as const, argv, cwd: folder.path, watch: [] };
      folder.write("model/deep/block.py", "class Block: pass");
      const [before, files] = [await fingerprint(ref), await programFiles(ref, folder.path)];
      folder.write("unrelated.py", "y = 3");
      expect(await fingerprint(ref)).toBe(before);
      folder.write("model/deep/block.py", "class Block: x = 1");
      expect(await fingerprint(ref)).not.toBe(before);
      const now = await programFiles(ref, folder.path);
      expect(Object.keys(now).filter((name) => now[name] !== files[name])).toEqual(["model/deep/block.py"]);
    }
  });

  test("keep the identity of a program without such imports", async () => {
    using folder = new TempFolder({ "train.py": "import json\nprint(1)\n" });
    const ref = { kind: "command" as const, argv: ["sh", "train.py"], cwd: folder.path, watch: [] };
    expect(await fingerprint(ref)).toBe("sh train.py#ff303725343fe655");
  });
});
