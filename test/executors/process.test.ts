import { existsSync, readdirSync, rmSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Setting } from "../../src/core/executor.ts";
import { createRedactor } from "../../src/core/redact.ts";
import { OK } from "../../src/core/run.ts";
import { ProcessExecutor } from "../../src/executors/process.ts";
import { RunFolder } from "../../src/executors/run-folder.ts";
import type { Instrument, InstrumentContext } from "../../src/instruments/instrument.ts";
import { aRun, aStudy } from "../support/a-study.ts";
import { TempFolder } from "../support/temp-folder.ts";

const run = aRun();
const other = aRun({ id: "b__seed1__baseline__ba9876543210" });
const NEVER = new AbortController().signal;

function settingOf(folder: TempFolder, script: string, part: Partial<Setting> = {}): Setting {
  const { limits, iterations } = aStudy();
  return {
    target: { kind: "command", argv: ["sh", "-c", script], cwd: folder.path, watch: [] },
    studyDir: folder.path,
    baseDir: folder.path,
    artifacts: "all",
    limits,
    iterations,
    instruments: [],
    plugins: [],
    env: {},
    jobs: 1,
    ...part,
  };
}

/** An instrument that does something when a launch starts, or when it has ended. */
function hook(part: { start?(ctx: InstrumentContext): unknown; end?(ctx: InstrumentContext): unknown }) {
  const instrument: Instrument = {
    name: "hook",
    description: "",
    start: async (ctx) => {
      await part.start?.(ctx);
      return async () => {
        await part.end?.(ctx);
        return {};
      };
    },
  };
  return [{ instrument, options: {} }];
}

const limits = (part: Partial<Setting["limits"]>) => ({ ...aStudy().limits, ...part });

afterEach(() => {
  vi.useRealTimers();
});

test("a run that is cancelled while its instruments start never starts", async () => {
  using folder = new TempFolder();
  const kill = new AbortController();
  const slow = hook({
    start: async () => {
      kill.abort();
      await setImmediate();
    },
  });
  const executor = new ProcessExecutor(settingOf(folder, "echo >ran.txt"), slow);
  const attempt = await executor.execute({ run, attempt: 1 }, kill.signal);
  await executor.close();
  expect(attempt.outcome).toEqual({ status: "cancelled" });
  expect(existsSync(`${folder.path}/ran.txt`)).toBe(false);
});

describe("a run with iterations", () => {
  test("has one limit of time for all of its launches", async () => {
    using folder = new TempFolder();
    const setting = settingOf(folder, "true", {
      iterations: { warmup: 0, measured: 1_000_000 },
      limits: limits({ timeoutMs: 300 }),
    });
    const executor = new ProcessExecutor(setting, []);
    const { outcome } = await executor.execute({ run, attempt: 1 }, NEVER);
    await executor.close();
    expect(outcome).toMatchObject({ status: "timeout", reason: "still running after 0.3 s" });
  });

  test("is done before the next one begins, and finishes when nothing more is to begin", async () => {
    using folder = new TempFolder();
    const setting = settingOf(folder, 'echo "$ASSAY_RUN_ID" >>ran.txt', {
      iterations: { warmup: 0, measured: 6 },
    });
    const executor: ProcessExecutor = new ProcessExecutor(
      setting,
      hook({ start: ({ iteration }) => iteration === 3 && ranBy(other) === 3 && executor.drain() }),
    );
    const ranBy = ({ id }: typeof run) =>
      folder
        .read("ran.txt")
        .split("\n")
        .filter((line) => line === id).length;
    const third = aRun({ id: "c__seed1__baseline__c00000000000" });
    const attempts = await Promise.all(
      [run, other, third].map((one) => executor.execute({ run: one, attempt: 1 }, NEVER)),
    );
    await executor.close();
    expect(attempts.map(({ outcome }) => outcome.status)).toEqual(["ok", "ok", "skipped"]);
    const ran = folder.read("ran.txt").trim().split("\n");
    expect(ran).toEqual([...Array(6).fill(run.id), ...Array(6).fill(other.id)]);
  });

  test("has cost what all of its launches have, warm-ups and the failed one included", async () => {
    using folder = new TempFolder();
    const script = `echo >>ran.txt; echo '{"cost_usd": 5}' >"$ASSAY_OUT_DIR/metrics.json"; [ $(wc -l <ran.txt) != 6 ]`;
    const executor = new ProcessExecutor(
      settingOf(folder, script, { iterations: { warmup: 2, measured: 3 } }),
      [],
    );
    const done = await executor.execute({ run, attempt: 1 }, NEVER);
    expect(done).toMatchObject({ outcome: OK, costUsd: 25, metrics: { cost_usd: 5 } });
    const broken = await executor.execute({ run: other, attempt: 1 }, NEVER);
    await executor.close();
    expect(broken).toMatchObject({ outcome: { status: "failed" }, costUsd: 5 });
  });

  test("takes nothing for a launch's result that another one left", async () => {
    using folder = new TempFolder();
    const script = `echo x >>"$ASSAY_OUT_DIR/kept"; [ -e wrote ] || echo '{"score": 1}' >"$ASSAY_OUT_DIR/metrics.json"; echo >wrote`;
    const executor = new ProcessExecutor(
      settingOf(folder, script, { iterations: { warmup: 0, measured: 3 } }),
      [],
    );
    const attempt = await executor.execute({ run, attempt: 1 }, NEVER);
    await executor.close();
    expect(attempt.metrics.score).toBe(1);
    expect(attempt.files).toEqual(["kept"]);
    expect(folder.read(`runs/${run.id}/out/kept`)).toBe("x\nx\nx\n");
  });
});

test("a run that has ended is not late, however long its instruments take to end", async () => {
  using folder = new TempFolder();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const setting = settingOf(folder, "true", { limits: limits({ timeoutMs: 1000, graceMs: 10 }) });
  const late = hook({ end: () => vi.advanceTimersByTime(5000) });
  const executor = new ProcessExecutor(setting, late);
  const attempt = await executor.execute({ run, attempt: 1 }, NEVER);
  vi.useRealTimers();
  await executor.close();
  expect(attempt.outcome).toEqual({ status: "ok", exitCode: 0 });
});

test("a limit of months is one", async () => {
  using folder = new TempFolder();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const days = 86_400_000;
  const setting = settingOf(folder, "true", { limits: limits({ timeoutMs: 60 * days, graceMs: 30 * days }) });
  const executor = new ProcessExecutor(setting, hook({ start: () => vi.advanceTimersByTime(59 * days) }));
  const attempt = await executor.execute({ run, attempt: 1 }, NEVER);
  vi.useRealTimers();
  await executor.close();
  expect(attempt.outcome.status).toBe("ok");
});

describe("a run whose folder somebody deletes", () => {
  const GONE = { status: "failed", owner: "infrastructure", reason: "its folder was deleted while it ran" };

  test.each(["all", "none"] as const)("fails, and nothing else does (artifacts: %s)", async (artifacts) => {
    using folder = new TempFolder();
    const script = 'rm -r "$(dirname "$ASSAY_OUT_DIR")"';
    const executor = new ProcessExecutor(settingOf(folder, script, { artifacts }), []);
    const attempt = await executor.execute({ run, attempt: 1 }, NEVER);
    await executor.close();
    expect(attempt.outcome).toEqual(GONE);
  });

  test("fails also where it is about to be described", async () => {
    using folder = new TempFolder();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const deleting = hook({
      start: () => {
        rmSync(`${folder.path}/runs`, { recursive: true });
        vi.advanceTimersByTime(600);
        vi.useRealTimers();
      },
    });
    const executor = new ProcessExecutor(settingOf(folder, "true"), deleting);
    const attempt = await executor.execute({ run, attempt: 1 }, NEVER);
    await executor.close();
    expect(attempt.outcome).toEqual(GONE);
  });
});

describe("an earlier result", () => {
  /** The folder of a run that ended well, with a file in it. */
  function earlierIn(folder: TempFolder, setting: Setting): void {
    const before = new RunFolder({ run: other, attempt: 1 }, setting, createRedactor({}));
    before.open();
    folder.write(`runs/${other.id}/out/good.txt`, "good");
    before.end({ outcome: OK, metrics: {}, startedAtMs: 0, wallMs: 1 }, ["x"], "/");
  }

  test("stays when the run was made ready again and then not begun", async () => {
    using folder = new TempFolder();
    const executor: ProcessExecutor = new ProcessExecutor(
      settingOf(folder, "true"),
      hook({ start: () => executor.drain() }),
    );
    earlierIn(folder, settingOf(folder, "true"));
    const attempts = await Promise.all(
      [run, other].map((one) => executor.execute({ run: one, attempt: 2, hasResult: true }, NEVER)),
    );
    await executor.close();
    expect(attempts.map(({ outcome }) => outcome.status)).toEqual(["ok", "skipped"]);
    expect(folder.read(`runs/${other.id}/out/good.txt`)).toBe("good");
    expect(JSON.parse(folder.read(`runs/${other.id}/meta.json`)).status).toBe("ok");
    expect(readdirSync(`${folder.path}/runs`).sort()).toEqual([run.id, other.id].sort());
  });

  test("stays when the run was done again and cancelled", async () => {
    using folder = new TempFolder();
    const kill = new AbortController();
    const executor = new ProcessExecutor(settingOf(folder, "true"), hook({ start: () => kill.abort() }));
    earlierIn(folder, settingOf(folder, "true"));
    const attempt = await executor.execute({ run: other, attempt: 2, hasResult: true }, kill.signal);
    await executor.close();
    expect(attempt.outcome.status).toBe("cancelled");
    expect(JSON.parse(folder.read(`runs/${other.id}/meta.json`)).status).toBe("ok");
    expect(existsSync(`${folder.path}/runs/${other.id}/earlier`)).toBe(false);
  });
});

describe("a program that prints its metrics", () => {
  const printing = async (script: string, part: Partial<Setting> = {}) => {
    using folder = new TempFolder();
    const setting = settingOf(folder, script, part);
    const target = { ...setting.target, metrics: { score: "score: (.+)" } } as Setting["target"];
    const executor = new ProcessExecutor({ ...setting, target }, []);
    const attempt = await executor.execute({ run, attempt: 1 }, NEVER);
    await executor.close();
    return attempt;
  };

  test("has them in its record, beside those of its files", async () => {
    const { outcome, metrics } = await printing(
      'echo score: 1; echo score: 2; echo \'{"x": 3}\' >"$ASSAY_OUT_DIR/metrics.json"',
    );
    expect({ outcome, metrics }).toEqual({
      outcome: { status: "ok", exitCode: 0 },
      metrics: { score: 2, x: 3 },
    });
  });

  test("and prints none has failed, and says what there was instead", async () => {
    expect((await printing("echo points: 1")).outcome).toEqual({
      status: "failed",
      owner: "grader",
      reason: 'no score in stdout: nothing matches /score: (.+)/; its last line is "points: 1"',
      exitCode: 0,
    });
  });

  test("with iterations, each launch counts by itself", async () => {
    const { metrics, outcome } = await printing("echo x >>n; echo score: $(wc -l <n)", {
      iterations: { warmup: 1, measured: 3 },
    });
    expect({ outcome, metrics }).toMatchObject({ outcome: { status: "ok" }, metrics: { score: 3 } });
    const silent = await printing("echo x >>n; [ $(wc -l <n) -gt 1 ] || echo score: 1", {
      iterations: { warmup: 0, measured: 2 },
    });
    expect(silent.outcome).toMatchObject({ status: "failed", owner: "grader" });
    expect(silent.outcome.reason).toMatch(/^iteration 2 of 2: no score in stdout: .* printed nothing there$/);
  });

  test("tells the last line of its stderr where it fails, without secrets", async () => {
    const { outcome } = await printing("echo Traceback >&2; echo no key $API_KEY >&2; exit 3", {
      env: { API_KEY: "sk-very-secret-1234" },
    });
    expect(outcome.reason).toMatch(/^exit 3: no key /);
    expect(outcome.reason).not.toContain("very-secret");
  });
});
