import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ProcessExecutor } from "../../src/executors/process.ts";
import type { Instrument } from "../../src/instruments/instrument.ts";
import { aRun, aStudy } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

test("a run that is cancelled while its instruments start never starts", async () => {
  using folder = new TempFolder();
  const { limits, iterations } = aStudy();
  const kill = new AbortController();
  const slow: Instrument = {
    name: "slow",
    description: "",
    start: async () => {
      kill.abort();
      await setImmediate();
      return () => ({});
    },
  };
  const executor = new ProcessExecutor(
    {
      target: { kind: "command", argv: ["sh", "-c", "echo >ran.txt"], cwd: folder.path, watch: [] },
      studyDir: folder.path,
      baseDir: folder.path,
      artifacts: "all",
      limits,
      iterations,
      instruments: [],
      plugins: [],
      env: {},
      jobs: 1,
    },
    [{ instrument: slow, options: {} }],
  );
  const attempt = await executor.execute({ run: aRun(), attempt: 1 }, kill.signal);
  await executor.close();
  expect(attempt.outcome).toEqual({ status: "cancelled" });
  expect(existsSync(`${folder.path}/ran.txt`)).toBe(false);
});
