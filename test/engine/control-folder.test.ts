import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ControlFolder } from "../../src/engine/steering.ts";
import { TempFolder } from "../support/temp-folder.ts";

const PAUSE = { action: "pause", by: "x" };

describe("the folder of requests", () => {
  test("drops what was asked before the launch", () => {
    using folder = new TempFolder({ "control/1.json": JSON.stringify(PAUSE) });
    expect(new ControlFolder(folder.path).take()).toEqual([]);
  });

  test("gives requests in the order of their names, each once, and leaves unfinished files alone", () => {
    using folder = new TempFolder();
    const control = new ControlFolder(folder.path);
    folder.write("control/2.json", JSON.stringify({ action: "cancel", run: "a", by: "x" }));
    folder.write("control/1.json", JSON.stringify(PAUSE));
    folder.write("control/3.tmp", "{");
    expect(control.take()).toEqual([PAUSE, { action: "cancel", run: "a", by: "x" }]);
    expect(control.take()).toEqual([]);
    expect(existsSync(`${folder.path}/control/3.tmp`)).toBe(true);
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    '{"action":"rm","by":"x"}',
    '{"action":"cancel","run":5,"by":"x"}',
    '{"action":"pause"}',
    '{"action":"pause","jobs":2,"by":"x"}',
    '{"action":"pause","run":"a","by":"x"}',
    '{"action":"adjust","by":"x"}',
    '{"action":"adjust","jobs":1.5,"by":"x"}',
    '{"action":"adjust","jobs":0,"by":"x"}',
    '{"action":"adjust","costUsd":-1,"by":"x"}',
  ])("drops what is no request: %s", (text) => {
    using folder = new TempFolder();
    const control = new ControlFolder(folder.path);
    folder.write("control/1.json", text);
    folder.write("control/2.json/inner.json", "{}");
    expect(control.take()).toEqual([]);
    folder.write("control/3.json", JSON.stringify(PAUSE));
    expect(control.take()).toEqual([PAUSE]);
  });

  test("is gone with the runner, and survives being moved away", () => {
    using folder = new TempFolder();
    const control = new ControlFolder(folder.path);
    control.close();
    expect(existsSync(`${folder.path}/control`)).toBe(false);
    expect(control.take()).toEqual([]);
  });
});
