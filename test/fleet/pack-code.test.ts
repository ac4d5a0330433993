import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Setting } from "../../src/core/executor.ts";
import type { TargetRef } from "../../src/core/study.ts";
import { dataNamed, filesNamed, packCode } from "../../src/fleet/code/pack-code.ts";
import { TempFolder } from "../support/temp-folder.ts";

function setting(target: TargetRef, baseDir: string): Setting {
  return { target, baseDir, plugins: [] } as unknown as Setting;
}

test("a module travels with its local imports and the names of its packages", () => {
  using folder = new TempFolder({
    "studies/target.ts":
      'import { a } from "../lib/a.ts";\nimport { z } from "assay/plugin";\nimport fs from "node:fs";\nimport x from "@scope/pkg/deep";\n',
    "lib/a.ts": 'export { b } from "./b.js";\nimport "left-pad";\n',
    "lib/b.ts": "export const b = 1;\n",
    "lib/unused.ts": "",
    "package-lock.json": "{}",
  });
  const baseDir = join(folder.path, "studies");
  const { manifest, blobs } = packCode(setting({ kind: "file", path: join(baseDir, "target.ts") }, baseDir));
  expect(manifest).toMatchObject({
    root: folder.path,
    base: "studies",
    packages: ["@scope/pkg", "left-pad"],
  });
  expect(manifest.files.map(({ path }) => path)).toEqual(["lib/a.ts", "lib/b.ts", "studies/target.ts"]);
  expect(manifest.lock).toMatchObject({ name: "package-lock.json" });
  expect(manifest.files.every(({ sha256 }) => blobs.has(sha256))).toBe(true);
});

test("a shipped target brings nothing but what its parameters name", () => {
  using folder = new TempFolder({ "policy.ts": "export default 1;\n", "tasks/one/task.yaml": "a: 1\n" });
  mkdirSync(join(folder.path, "tasks/empty"));
  const shipped = setting({ kind: "shipped", name: "noop" }, folder.path);
  expect(packCode(shipped).manifest.files).toEqual([]);
  const named = filesNamed(
    { policy: "./policy.ts", tasks: "./tasks", other: "./policy.ts" },
    ["policy", "tasks"],
    folder.path,
  );
  expect(packCode(shipped, named).manifest.files.map(({ path }) => path)).toEqual([
    "policy.ts",
    "tasks/one/task.yaml",
  ]);
});

test("more than 16 MB of code is refused", () => {
  using folder = new TempFolder({ "target.mjs": "//".padEnd(17 * 1024 * 1024, "x") });
  const ref: TargetRef = { kind: "file", path: join(folder.path, "target.mjs") };
  expect(() => packCode(setting(ref, folder.path))).toThrow("at most 16 MB of code");
});

describe("files that a program's runs name", () => {
  test("travel where they are small and beside the study: prompts, configurations, tasks", () => {
    using folder = new TempFolder({
      "prompts/a.txt": "a",
      "prompts/b.txt": "b",
      "configs/m.json": "{}",
      "first.json": "{}",
      "weights.bin": "w".repeat(2 << 20),
    });
    const run = {
      id: "r",
      params: {
        prompt: "prompts/a.txt",
        more: ["prompts/b.txt"],
        model: "m",
        weights: "weights.bin",
        n: 3,
        out: "../x",
      },
      variant: "baseline",
      flags: [],
      seed: 1,
      task: "first.json",
      repeat: 0,
    };
    const command = {
      kind: "command" as const,
      argv: ["sh"],
      cwd: folder.path,
      watch: ["configs/${model}.json", "prompts/b.txt"],
    };
    expect(dataNamed(run, command, folder.path).map((path) => path.slice(folder.path.length + 1))).toEqual([
      "prompts/a.txt",
      "prompts/b.txt",
      "first.json",
      "configs/m.json",
    ]);
  });
});
