import { describe, expect, test } from "vitest";
import { hyperfineExport, noiseOf, type TimeOptions, timeCommands } from "../../src/api/time-commands.ts";
import { TempFolder } from "../support/temp-folder.ts";

const options: TimeOptions = {
  ...{ warmup: 0, runs: 3, timeMs: 1, shell: "sh", ignoreFailure: false, seed: 1 },
};
const commands = (...lines: string[]) => lines.map((line) => ({ line, params: {} }));

describe("commands that are timed", () => {
  test("take turns in rounds, each with what prepares it, and what cleans up comes last", async () => {
    using folder = new TempFolder();
    const log = `${folder.path}/log`;
    const say = (word: string) => `echo ${word} >> ${log}`;
    const timed = await timeCommands(commands(say("a"), say("b")), {
      ...options,
      ...{ warmup: 1, setup: say("setup"), prepare: say("prepare"), cleanup: say("cleanup") },
    });
    const lines = folder.read("log").trim().split("\n");
    expect(lines.slice(0, 5)).toEqual(["setup", "prepare", "a", "prepare", "b"]);
    const rounds = lines.slice(5, -2).filter((word) => word !== "prepare");
    expect(rounds).toHaveLength(6);
    for (let i = 0; i < rounds.length; i += 2) expect(rounds.slice(i, i + 2).sort()).toEqual(["a", "b"]);
    expect(lines.slice(-2)).toEqual(["cleanup", "cleanup"]);
    expect(timed.commands.map(({ times }) => times.length)).toEqual([3, 3]);
    expect(timed.compared?.comparisons).toHaveLength(1);
    expect(hyperfineExport(timed)).toMatchObject({
      results: [{ command: say("a"), exit_codes: [0, 0, 0], times: expect.any(Array) }, {}],
    });
  });

  test("have to succeed, unless failures are to be ignored", async () => {
    await expect(timeCommands(commands("exit 3"), options)).rejects.toThrow("exit code 3");
    await expect(timeCommands(commands("true"), { ...options, prepare: "false" })).rejects.toThrow(
      '--prepare "false" ended with exit code 1',
    );
    const { commands: timed, compared } = await timeCommands(commands("exit 3"), {
      ...options,
      ignoreFailure: true,
    });
    expect(timed[0]!.exitCodes).toEqual([3, 3, 3]);
    expect(compared).toBeNull();
  });

  test("say of noise what it is and which command has it", () => {
    const times = [9, 1, 1.1, 1.2, 1.1, 1, 1.1, 1.2];
    expect(noiseOf({ line: "make", times })).toEqual([
      {
        kind: "noise",
        level: "warn",
        text: "make: the first run was 8.2 times as slow as the others: raise --warmup",
      },
    ]);
  });

  test("without a shell are programs and their words", async () => {
    using folder = new TempFolder();
    const plain = { ...options, shell: null };
    await timeCommands(commands(`touch '${folder.path}/a b'`), plain);
    expect(folder.read("a b")).toBe("");
    await timeCommands(commands(`touch "${folder.path}/2 * (c; d)"`), plain);
    expect(folder.read("2 * (c; d)")).toBe("");
    for (const line of ["ls | wc", "ls *", 'echo "$HOME"', ""])
      await expect(timeCommands(commands(line), plain)).rejects.toThrow("needs a shell");
  });
});
