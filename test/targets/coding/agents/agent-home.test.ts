import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RunFailure } from "../../../../src/core/run.ts";
import { fillHome, findHome } from "../../../../src/targets/coding/agents/agent-home.ts";
import { TempFolder } from "../../../support/temp-folder.ts";

const agent = (folder: TempFolder) => ({ name: "mine", baseDir: folder.path });

describe("an agent's home", () => {
  test("has the study's files, and of one that both have what the preset needs goes before", () => {
    using folder = new TempFolder({
      "own/AGENTS.md": "Be brief.",
      "own/settings.yaml": "theme: dark\nauth: { kind: login, user: me }\n",
      "home/there": "",
    });
    const settings = { "settings.yaml": { auth: { kind: "key" } }, "new/one.json": { a: 1 } };
    fillHome(`${folder.path}/home`, { from: "own", settings: [settings] }, agent(folder));
    expect(folder.read("home/AGENTS.md")).toBe("Be brief.");
    expect(JSON.parse(folder.read("home/settings.yaml"))).toEqual({
      theme: "dark",
      auth: { kind: "key", user: "me" },
    });
    expect(folder.read("home/new/one.json")).toBe('{"a":1}');
    expect(folder.read("own/settings.yaml")).toContain("login");
  });

  test("that can't be made is nobody's failure at the task", () => {
    using folder = new TempFolder({ "own/settings.json": "[not, {names", "home/there": "" });
    const fill = () =>
      fillHome(`${folder.path}/home`, { from: "own", settings: [{ "settings.json": {} }] }, agent(folder));
    expect(fill).toThrow(RunFailure);
    expect(fill).toThrow("settings.json in it is no JSON or YAML");
  });

  test("is refused with a link in it, or where it is no folder", () => {
    using folder = new TempFolder({ "own/deep/file": "", file: "" });
    expect(findHome("own", folder.path)).toBe(`${folder.path}/own`);
    symlinkSync("/etc/hosts", `${folder.path}/own/deep/link`);
    expect(() => findHome("own", folder.path)).toThrow("own has a link: deep/link");
    expect(() => findHome("file", folder.path)).toThrow("file is no folder");
    expect(() => findHome("absent", folder.path)).toThrow("absent is no folder");
  });
});
