import assert from "node:assert/strict";
import { join } from "node:path";
import type { ExecutorKind, Job, Setting } from "../core/executor.ts";
import type { Member } from "../core/family.ts";
import type { Attempt } from "../core/run.ts";
import type { TargetRef } from "../core/study.ts";
import { createExecutor } from "../executors/index.ts";
import type { Instrument } from "../instruments/instrument.ts";
import type { OwnProvider } from "../models/providers/provider.ts";
import { createSdkCaller } from "../models/sdk-caller.ts";
import { type Check, type ContractOptions, inTempFolder } from "./contract.ts";

const NEVER = new AbortController().signal;
const LIMITS = { timeoutMs: 0, graceMs: 1000, retries: 0, backoffMs: 0, stdoutBytes: 1_000_000 };

function settingIn(dir: string, target: TargetRef): Setting {
  return {
    ...{ target, studyDir: join(dir, "study"), baseDir: dir, artifacts: "all", limits: LIMITS },
    iterations: { warmup: 0, measured: 1 },
    ...{ instruments: [], plugins: [], env: {}, jobs: 2 },
  };
}

function program(code: string, cwd: string): TargetRef {
  return { kind: "command", argv: [process.execPath, "-e", code], cwd, watch: [] };
}

function jobOf(number: number): Job {
  const id = `seed${number}__baseline__0123456789${String(number).padStart(2, "0")}`;
  const run = { id, params: {}, variant: "baseline", flags: [], seed: number, task: null, repeat: 0 };
  return { run, attempt: 1 };
}

/** What all executors promise: failures are results, what is cancelled ends, what is closed lets go. */
export function executorContract(kind: ExecutorKind & Member, { target }: ContractOptions): Check[] {
  const open = (dir: string, code: string) =>
    kind.create(settingIn(dir, target ?? program(code, dir)), createExecutor);
  const checked = ({ outcome, metrics, startedAtMs, wallMs }: Attempt) => {
    assert.equal(typeof metrics, "object");
    assert.ok(startedAtMs > 0 && wallMs >= 0, "it says when it began and how long it took");
    return outcome.status;
  };
  const programs: Check[] = [
    {
      title: "gives a program that fails as a failed attempt, with its exit code",
      check: () =>
        inTempFolder(async (dir) => {
          const executor = await open(dir, "process.exit(3)");
          const attempt = await executor.execute(jobOf(1), NEVER);
          await executor.close();
          assert.equal(checked(attempt), "failed");
          assert.equal(attempt.outcome.exitCode, 3);
          assert.ok(attempt.outcome.reason, "a failure has a reason");
        }),
    },
    {
      title: "ends what runs when it is told to, and gives it as cancelled",
      check: () =>
        inTempFolder(async (dir) => {
          const executor = await open(dir, "setInterval(() => {}, 1000)");
          const stop = new AbortController();
          const running = executor.execute(jobOf(1), stop.signal);
          stop.abort();
          const { outcome } = await running;
          await executor.close();
          assert.ok(["cancelled", "skipped"].includes(outcome.status), outcome.status);
        }),
    },
  ];
  return [
    {
      title: "has room for a job, and carries out as many as it is given",
      check: () =>
        inTempFolder(async (dir) => {
          const executor = await open(dir, "");
          assert.ok(executor.capacity >= 1, "capacity is at least 1");
          const attempts = await Promise.all([1, 2, 3].map((n) => executor.execute(jobOf(n), NEVER)));
          await executor.close();
          assert.deepEqual(attempts.map(checked), ["ok", "ok", "ok"]);
        }),
    },
    {
      title: "after drain gives back a job, done or skipped, and can be closed twice",
      check: () =>
        inTempFolder(async (dir) => {
          const executor = await open(dir, "");
          executor.drain();
          const { outcome } = await executor.execute(jobOf(1), NEVER);
          assert.ok(["skipped", "ok"].includes(outcome.status), outcome.status);
          await executor.close();
          await executor.close();
        }),
    },
    ...(target === undefined ? programs : []),
  ];
}

/** What all instruments promise: numbers or null, by names, however often they are started. */
export function instrumentContract(instrument: Instrument, { options = {} }: ContractOptions): Check[] {
  const measure = (dir: string, iteration: number) =>
    instrument.start({
      options: instrument.options?.parse(options),
      ...{ outDir: dir, pid: undefined, iteration, warn: () => {} },
    });
  return [
    {
      title: "starts, ends, and gives numbers or null, as often as it is asked",
      check: () =>
        inTempFolder(async (dir) => {
          for (let iteration = 0; iteration < 3; iteration++) {
            const end = await measure(dir, iteration);
            assert.equal(typeof end, "function", "start gives what ends it");
            for (const [name, value] of Object.entries(await end())) {
              assert.match(name, /^\w[\w.-]*$/, "names of metrics are words");
              assert.ok(value === null || Number.isFinite(value), `${name} is ${value}`);
            }
          }
        }),
    },
  ];
}

/** What all providers of models promise. One whose variables are set is asked a question. */
export function modelContract(provider: OwnProvider): Check[] {
  const { env } = process;
  const isLetIn = provider.ways.some((way) => way.every((name) => env[name]));
  const spec = { name: `${provider.name}:contract`, provider: provider.name, modelId: "contract" };
  const asks: Check = {
    title: "answers a question, and says what that used",
    async check() {
      const call = createSdkCaller(() => provider.connect(spec, { env, baseUrl: undefined }), 60_000);
      const messages = [{ role: "user" as const, text: "Say hello.", kind: "task" as const, turn: 0 }];
      const answer = await call({ messages, tools: [], seed: 1, signal: NEVER } as never);
      assert.equal(typeof answer.message.text, "string");
      assert.ok(answer.usage === undefined || Object.values(answer.usage).every((n) => Number(n) >= 0));
    },
  };
  return [
    {
      title: "says by which variables one is let in, and how traces and prices call it",
      check() {
        assert.match(provider.name, /^[\w.-]+$/, "its name can stand before a colon");
        assert.ok(Array.isArray(provider.ways) && provider.ways.length > 0, "ways has at least one way in");
        for (const name of [...provider.ways.flat(), ...provider.optional]) assert.match(name, /^\w+$/);
        assert.ok(provider.vendor.trace && provider.vendor.prices);
      },
    },
    ...(isLetIn ? [asks] : []),
  ];
}
