import { spawn } from "node:child_process";
import { MachineError } from "../../core/errors.ts";
import type { Job, Setting } from "../../core/executor.ts";
import { canonicalJson, shortHash } from "../../core/hash.ts";
import type { Redactor } from "../../core/redact.ts";
import { type Attempt, failed, type Run, RunFailure } from "../../core/run.ts";
import { fixedPort, type ServiceRef, serviceName, serviceVariable } from "../../core/service.ts";
import type { CommandRef } from "../../core/study.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import { startTimer } from "../../host/clock.ts";
import { freePort, redactorFor } from "../../host/environment.ts";
import { marksOf } from "../../host/processes.ts";
import { fillArgv } from "../../targets/command/fill-argv.ts";
import { findProgram } from "../../targets/command/find-program.ts";
import type { Place, Provided, Provision } from "./provision.ts";
import { listens, Service } from "./service.ts";

/** One that all runs need, and that can't be started so often in a row, ends the study. */
const MOST_FAILURES = 3;

/** A process of a service, for whoever it is shared by. */
interface Shared {
  /** Settles once it is ready, or can't be. */
  starting: Promise<Service>;
  service?: Service;
  users: number;
  /** Some run has used it since it was last as at its start. */
  isUsed: boolean;
}

/**
 * The services of a study: started when the first run needs them, shared as the study says, watched while runs use them,
 * started again when they have ended, and stopped at the end. A run whose service fails has no result, by the
 * infrastructure's fault.
 */
export class Services implements Provision {
  readonly #refs: readonly ServiceRef[];
  readonly #setting: Setting;
  readonly #redactor: Redactor;
  /** By service and by who shares it. */
  readonly #shared = new Map<string, Shared>();
  /** The same one again where that works, so that programs which live long find it again. */
  readonly #ports = new Map<string, number>();
  readonly #failures = new Map<string, number>();

  constructor(refs: readonly ServiceRef[], setting: Setting) {
    this.#refs = refs;
    this.#setting = setting;
    this.#redactor = redactorFor(setting);
  }

  async begin({ run }: Job, place: Place): Promise<Provided> {
    let env: Record<string, string> = {};
    const used: Shared[] = [];
    const giveBack = () => {
      for (const one of used) one.users--;
    };
    try {
      for (const ref of this.#refs) {
        const one = await this.#take(ref, run, { ...place, env: { ...place.env, ...env } });
        used.push(one);
        env = { ...env, ...variablesOf(ref, one.service!.port) };
      }
    } catch (error) {
      giveBack();
      throw error;
    }
    const stops = used.map(({ service }) =>
      service!.onEnd((why) => place.end(failed("infrastructure", why))),
    );
    return {
      env,
      judge: async (attempt) => {
        for (const stop of stops) stop();
        const judged = await this.#judge(attempt, used);
        giveBack();
        return judged;
      },
    };
  }

  async close(): Promise<void> {
    const all = [...this.#shared.values()];
    this.#shared.clear();
    await Promise.all(all.map((one) => this.#stop(one)));
  }

  /** A process that can be used, with one more run that uses it. */
  async #take(ref: ServiceRef, run: Run, place: Place): Promise<Shared> {
    const key = keyOf(ref, run, place.lane);
    const known = this.#shared.get(key);
    const isFresh = known && (ref.per !== "run" || !known.isUsed);
    let one = isFresh && known.service?.problem === undefined ? known : undefined;
    if (one && ref.reset && one.isUsed) one = (await this.#reset(ref, one, { run, place })) ? one : undefined;
    if (!one) {
      const leaving = [...(known ? [known] : []), ...this.#leaveRoom(ref)];
      const starting = Promise.all(leaving.map((other) => this.#stop(other))).then(() =>
        this.#start(ref, key, { run, place }),
      );
      one = { starting, users: 0, isUsed: false };
      this.#shared.set(key, one);
    }
    one.users++;
    one.isUsed = true;
    try {
      one.service = await one.starting;
      return one;
    } catch (error) {
      one.users--;
      if (this.#shared.get(key) === one) this.#shared.delete(key);
      throw error;
    }
  }

  /** Cells that have no run now give way to others. */
  #leaveRoom(ref: ServiceRef): Shared[] {
    if (ref.per !== "cell") return [];
    const ours = [...this.#shared].filter(([key]) => key.startsWith(`${ref.name} cell `));
    const idle = ours.filter(([, one]) => one.users === 0);
    const leaving = idle.slice(0, Math.max(0, ours.length + 1 - this.#setting.jobs));
    for (const [key] of leaving) this.#shared.delete(key);
    return leaving.map(([, one]) => one);
  }

  async #start(ref: ServiceRef, key: string, { run, place }: { run: Run; place: Place }): Promise<Service> {
    const { studyDir, limits } = this.#setting;
    const port = fixedPort(ref) ?? this.#ports.get(key) ?? (await freePort());
    const fixed = fixedPort(ref);
    if (fixed !== undefined && (await listens(fixed, 1000)))
      throw this.#failed(ref, `port ${fixed} is taken by another process`);
    const service = new Service({
      ref,
      argv: wordsOf(ref.by, run, port),
      cwd: ref.by.cwd,
      env: this.#envOf(place, port),
      port,
      logPath: `${studyDir}/${STUDY_FILES.services}/${logName(key)}`,
      logBytes: limits.stdoutBytes,
      redactor: this.#redactor,
    });
    const problem = await service.untilReady(place.signal);
    if (problem === undefined) {
      this.#failures.delete(ref.name);
      this.#ports.set(key, port);
      return service;
    }
    this.#ports.delete(key);
    await service.stop(limits.graceMs);
    if (place.signal.aborted) throw new RunFailure("infrastructure", problem);
    throw this.#failed(ref, problem);
  }

  /** What a service finds in its environment, and a program that resets it: not the run that it is started for. */
  #envOf(place: Place, port: number): NodeJS.ProcessEnv {
    const { env, studyDir } = this.#setting;
    return {
      ...process.env,
      ...env,
      ...place.env,
      PORT: String(port),
      ...marksOf(studyDir),
      ASSAY_RUN_ID: "",
    };
  }

  /** A service for all runs that never gets ready would fail them one after the other. */
  #failed(ref: ServiceRef, problem: string): Error {
    const failures = (this.#failures.get(ref.name) ?? 0) + 1;
    this.#failures.set(ref.name, failures);
    const text = problem.startsWith(serviceName(ref)) ? problem : `${serviceName(ref)}: ${problem}`;
    if (failures < MOST_FAILURES || ref.per !== "study") return new RunFailure("infrastructure", text);
    const log = `${this.#setting.studyDir}/${STUDY_FILES.services}`;
    return new MachineError(
      `${text}. It could not be started ${MOST_FAILURES} times in a row, and every run needs it. What it printed is in ${log}. Mend it, and run the same command again.`,
    );
  }

  /** Whether it is as it was at its start again. */
  async #reset(
    { reset }: ServiceRef,
    { service }: Shared,
    { run, place }: { run: Run; place: Place },
  ): Promise<boolean> {
    const { limits } = this.#setting;
    const port = service!.port;
    const [program, ...words] = wordsOf(reset!, run, port);
    const child = spawn(program!, words, {
      cwd: reset!.cwd,
      env: this.#envOf(place, port),
      stdio: "ignore",
    });
    const stop = startTimer(limits.timeoutMs || RESET_MS, () => child.kill("SIGKILL"));
    const isDone = await new Promise<boolean>((resolve) => {
      child.once("error", () => resolve(false));
      child.once("exit", (code) => resolve(code === 0));
    });
    stop();
    return isDone && service!.problem === undefined;
  }

  /** What ended while its service was gone, or no longer answers, is the service's doing, whatever it looks like. */
  async #judge(attempt: Attempt, used: readonly Shared[]): Promise<Attempt> {
    const { status, owner } = attempt.outcome;
    if (status === "cancelled" || status === "skipped") return attempt;
    const isOwnFailure = status === "timeout" || (status === "failed" && owner === "agent");
    for (const { service } of used) {
      let problem = await service!.failure();
      if (problem === undefined && isOwnFailure && !(await service!.stillAnswers())) {
        problem = service!.silence;
        void service!.stop(this.#setting.limits.graceMs);
      }
      if (problem !== undefined)
        return { ...attempt, outcome: failed("infrastructure", problem), metrics: {} };
    }
    return attempt;
  }

  async #stop({ starting }: Shared): Promise<void> {
    const service = await starting.catch(() => undefined);
    await service?.stop(this.#setting.limits.graceMs);
  }
}

/** How long a reset may take where runs have no limit of time. */
const RESET_MS = 60_000;

/** Who shares one process: a process that is reset has one run at a time. */
function keyOf({ name, per, reset }: ServiceRef, { params, variant, flags }: Run, lane: number): string {
  const isAlone = per === "run" || reset !== undefined;
  const cell = per === "cell" ? ` cell ${shortHash(canonicalJson([params, variant, flags]))}` : "";
  return `${name}${cell}${isAlone ? ` lane ${lane}` : ""}`;
}

function logName(key: string): string {
  const [name = "", ...rest] = key.split(" ");
  return `${[name || "service", ...rest.filter((word) => word !== "lane" && word !== "cell")].join("-")}.log`;
}

/** What runs find in their environment of a service. */
function variablesOf(ref: ServiceRef, port: number): Record<string, string> {
  const own = fixedPort(ref) ?? port;
  const variable = serviceVariable(ref);
  const given = Object.entries(ref.provides).map(([name, text]) => [name, withPort(text, own)]);
  return {
    [variable]: `127.0.0.1:${own}`,
    [`${variable}_PORT`]: String(own),
    ...(Object.fromEntries(given) as Record<string, string>),
  };
}

function wordsOf({ argv, cwd }: CommandRef, run: Run, port: number): string[] {
  const [program, ...words] = fillArgv(argv, run, "", { port: String(port) });
  return [findProgram(program!, cwd), ...words];
}

function withPort(text: string, port: number): string {
  return text.replaceAll("${port}", String(port));
}
