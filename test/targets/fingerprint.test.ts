import { chmodSync, cpSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fingerprint } from "../../src/targets/fingerprint.ts";
import { TempFolder } from "../support/temp-folder.ts";

const MODULE =
  'import { z } from "assay/plugin";\nimport { k } from "./lib/k";\nimport data from "./data.json";\n';
const FILES = {
  "mine.ts": `${MODULE}export default { name: "mine", params: z.object({}), run: () => ({ k, data }) };`,
  "lib/k.ts": 'export { k } from "../deep.mjs";',
  "deep.mjs": "export const k = 1;",
  "data.json": "{}",
  "unrelated.ts": "export {};",
};
const ofModule = (folder: TempFolder) => fingerprint({ kind: "file", path: `${folder.path}/./mine.ts` });

describe("the state of a module", () => {
  test.each(Object.keys(FILES))("changes with %s when it is part of it", async (name) => {
    using folder = new TempFolder(FILES);
    const before = await ofModule(folder);
    folder.write(name, `${folder.read(name)}\n`);
    if (name === "unrelated.ts") expect(await ofModule(folder)).toBe(before);
    else expect(await ofModule(folder)).not.toBe(before);
  });

  test("stays the same when its folder moves", async () => {
    using folder = new TempFolder(FILES);
    using other = new TempFolder();
    cpSync(folder.path, `${other.path}/a b/c`, { recursive: true });
    const moved = await fingerprint({ kind: "file", path: `${other.path}/a b/c/mine.ts` });
    expect(moved).toBe(await ofModule(folder));
  });

  test("of a shipped target is its name and version", async () => {
    expect(await fingerprint({ kind: "shipped", name: "noop" })).toBe("noop@1");
  });
});

describe("the state of a program", () => {
  const command = (folder: TempFolder, argv: string[], part = {}) =>
    fingerprint({ kind: "command", argv, cwd: folder.path, watch: [], ...part });
  const program = () => {
    const folder = new TempFolder({ "sim.sh": "#!/bin/sh\n", "train.py": "print(1)", "lib.py": "x = 1" });
    chmodSync(`${folder.path}/sim.sh`, 0o755);
    return folder;
  };

  test("changes with the program, with files that the command names, and with what is watched", async () => {
    using folder = program();
    const state = () =>
      Promise.all([
        command(folder, ["./sim.sh", "${args}"]),
        command(folder, ["sh", "train.py"]),
        command(folder, ["sh", "train.py"], { watch: ["lib.py"] }),
      ]);
    const before = await state();
    folder.write("lib.py", "x = 2");
    const watched = await state();
    expect(watched.map((now, i) => now === before[i])).toEqual([true, true, false]);
    folder.write("train.py", "print(2)");
    folder.write("sim.sh", "#!/bin/sh\nexit 1\n");
    expect((await state()).map((now, i) => now === watched[i])).toEqual([false, false, false]);
  });

  test("changes with the arguments, and not when everything moves", async () => {
    using folder = program();
    using other = new TempFolder();
    cpSync(folder.path, `${other.path}/moved`, { recursive: true });
    const here = await command(folder, [`${folder.path}/sim.sh`, "--fast"]);
    expect(await command(folder, [`${folder.path}/sim.sh`, "--slow"])).not.toBe(here);
    expect(await command(other, [`${other.path}/moved/sim.sh`, "--fast"])).toBe(here);
  });

  test("changes with a script that the command holds, and with a path that is no file", async () => {
    using folder = program();
    const says = (text: string) => command(folder, ["sh", "-c", `echo ${text} > "$0/metrics.json"`]);
    expect(await says("1")).not.toBe(await says("2"));
    const into = (path: string) => command(folder, ["./sim.sh", path]);
    expect(await into("a/out")).not.toBe(await into("b/out"));
    expect(await into(`${folder.path}/a/out`)).toBe(await into("a/out"));
  });

  test("is what the study says where it gives a version, whatever the files hold", async () => {
    using folder = program();
    const before = await command(folder, ["./sim.sh"], { version: "1.2" });
    folder.write("sim.sh", "#!/bin/sh\n# changed\n");
    expect(await command(folder, ["./sim.sh"], { version: "1.2" })).toBe(before);
    expect(await command(folder, ["./sim.sh"], { version: "1.3" })).not.toBe(before);
  });

  test("can't be told when a watched file is missing", async () => {
    using folder = program();
    await expect(command(folder, ["./sim.sh"], { watch: ["gone.py"] })).rejects.toThrow(
      "the watched file gone.py does not exist",
    );
  });
});

describe("the state of a target that brings tasks in a folder", () => {
  const ofSet = (folder: TempFolder, hasTaskVersions = false, set = "./set") =>
    fingerprint(
      { kind: "shipped", name: "agent" },
      {
        baseDir: folder.path,
        valuesOf: (param) => (param === "task_set" ? [set] : []),
        hasTaskVersions,
      },
    );
  const tasks = () =>
    new TempFolder({ "set/one/task.json": "{}", "set/one/repo/a.js": "1", "beside.txt": "" });

  test.each<[string, string, string]>([
    ["a file in it", "set/one/repo/a.js", "2"],
    ["a file more", "set/one/repo/b.js", ""],
  ])("changes with %s", async (_, name, text) => {
    using folder = tasks();
    const before = await ofSet(folder);
    folder.write(name, text);
    expect(await ofSet(folder)).not.toBe(before);
  });

  test("stays with what is outside, below .git, or elsewhere on the disk", async () => {
    using folder = tasks();
    using other = new TempFolder();
    const before = await ofSet(folder);
    folder.write("beside.txt", "more");
    folder.write("set/.git/index", "x");
    expect(await ofSet(folder)).toBe(before);
    cpSync(`${folder.path}/set`, `${other.path}/elsewhere`, { recursive: true });
    expect(await ofSet(other, false, "./elsewhere")).toBe(before);
  });

  test("has none of it where each task has a version, or the tasks are those that ship", async () => {
    using folder = tasks();
    const plain = await fingerprint({ kind: "shipped", name: "agent" });
    expect(await ofSet(folder, true)).toBe(plain);
    expect(await ofSet(folder, false, "shipped")).toBe(plain);
    await expect(ofSet(folder, false, "./nowhere")).rejects.toThrow("./nowhere does not exist");
  });
});
