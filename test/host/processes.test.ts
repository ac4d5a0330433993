import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { hasProcess, isAlive, markOf, parseStat, readMark, thisProcess } from "../../src/host/processes.ts";

describe("a process", () => {
  test("that asks for itself is alive, and can be told from a later one of its number", () => {
    const own = thisProcess();
    expect(isAlive(own)).toBe(true);
    expect(isAlive({ ...own, birth: "" })).toBe(true);
    if (own.birth !== "") expect(isAlive({ ...own, birth: `${own.birth}1` })).toBe(false);
  });

  test("that has ended is not alive", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    expect(hasProcess(child.pid!)).toBe(false);
    expect(isAlive({ ...thisProcess(), pid: child.pid!, birth: "" })).toBe(false);
  });

  test("of another machine counts as alive: nobody here can tell", () => {
    expect(isAlive({ pid: 1, host: "elsewhere.invalid", birth: "7" })).toBe(true);
  });

  test("is the same after its mark was read", () => {
    const living = { pid: 12, host: "a@b.example", birth: "345" };
    expect(readMark(markOf(living))).toEqual(living);
    expect(readMark("slurm:7")).toBeUndefined();
  });
});

test("a name with brackets and blanks does not shift the fields of /proc/PID/stat", () => {
  const rest = "S 7 8 9 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 1 0 99887 4096 55 0";
  expect(parseStat(`42 (a) b (c) ${rest}`)).toEqual({
    ...{ parent: 7, group: 8, session: 9, cpuTicks: 100, startedAt: "99887", rssPages: 55 },
    ...{ isDead: false, isKernels: false },
  });
  expect(parseStat(`42 (a) ${rest.replace("S", "Z")}`).isDead).toBe(true);
});
