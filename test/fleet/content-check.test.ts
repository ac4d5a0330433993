import { renameSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Run } from "../../src/core/run.ts";
import { ContentCheck } from "../../src/fleet/code/content-check.ts";
import { Lack } from "../../src/fleet/code/unpack-code.ts";
import { TempFolder } from "../support/temp-folder.ts";

const META = JSON.stringify({ task_id: "first", repo: { url: "./repo" }, lm: { instructions: "Print 2." } });
const FILES = {
  "tasks/first/tb_meta.json": META,
  "tasks/first/repo/main.py": "print(1)\n",
  "agents/one.sh": "true\n",
};
const run: Run = {
  id: "one__0123456789ab",
  params: { agent: { name: "one", command: ["agents/one.sh"] } },
  variant: "baseline",
  flags: [],
  seed: 1,
  task: "tasks/first",
  repeat: 0,
};

describe("what a rollout finds beside its study", () => {
  const target = { kind: "shipped", name: "rollout" } as const;

  test("is the same on another machine, or is named as what differs or is missing", async () => {
    using here = new TempFolder(FILES);
    using there = new TempFolder(FILES);
    const contents = (await ContentCheck.create(target, here.path))!.contentsOf(run);
    expect(Object.keys(contents)).toEqual(["the task tasks/first", "what the parameter agent names"]);
    const check = (await ContentCheck.create(target, there.path))!;
    check.check(run, contents);

    there.write("agents/one.sh", "false\n");
    const other = (await ContentCheck.create(target, there.path))!;
    expect(() => other.check(run, contents)).toThrow(/what the parameter agent names is another one here/);
    there.write("agents/one.sh", FILES["agents/one.sh"]);
    other.check(run, contents);

    renameSync(`${there.path}/tasks`, `${there.path}/gone`);
    const without = (await ContentCheck.create(target, there.path))!;
    expect(() => without.check(run, contents)).toThrow(Lack);
    expect(() => without.check(run, contents)).toThrow(
      /tasks\/first does not exist.*share the study's folder/,
    );
  });

  test("is nothing for targets that bring all they need", async () => {
    expect(await ContentCheck.create({ kind: "shipped", name: "noop" }, "/")).toBeUndefined();
    expect(await ContentCheck.create({ kind: "file", path: "/x.ts" }, "/")).toBeUndefined();
  });
});
