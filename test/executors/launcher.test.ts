import { existsSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { Launcher } from "../../src/executors/launcher.ts";

let launcher: Launcher | undefined;
afterEach(() => launcher?.kill());

function launch(...argv: string[]) {
  return launcher!.launch({ argv, env: {}, stdout: "/dev/null", stderr: "/dev/null" });
}

const isCountable = process.platform === "linux" && existsSync("/bin/bash");
/** Computes until the kernel says that it has for so many milliseconds. */
const burn = (ms: number) => [
  process.execPath,
  "-e",
  `for (;;) { const { user, system } = process.cpuUsage(); if (user + system > ${ms * 1000}) break; }`,
];

test.runIf(isCountable)(
  "a launcher that counts tells what each program took, and whether it waited",
  async () => {
    launcher = new Launcher("/", process.env, { isCounting: true });
    const busy = await launch(...burn(300));
    expect(busy).toMatchObject({ code: 0, message: "" });
    expect(busy.cpuMs).toBeGreaterThanOrEqual(299);
    expect(busy.waitingShare).toBeLessThan(0.5);
    const idle = await launch("/bin/sleep", "0.3");
    expect(idle.cpuMs).toBeLessThan(100);
    expect(idle.waitingShare).toBeGreaterThan(0.5);
    expect(idle.wallMs).toBeGreaterThanOrEqual(300);
  },
);

test.runIf(isCountable)("counts nothing into the words of a program that fails or is not there", async () => {
  launcher = new Launcher("/", process.env, { isCounting: true });
  expect(await launch("/bin/sh", "-c", "exit 3")).toMatchObject({ code: 3, message: "" });
  expect((await launch("/nowhere/program")).code).toBe(127);
});

test("a launcher that does not count tells the exit code alone", async () => {
  launcher = new Launcher("/", process.env);
  expect(await launch("/bin/sh", "-c", "exit 3")).toEqual({ code: 3, message: "" });
});
