import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { Job, Setting } from "../../core/executor.ts";
import { createRedactor } from "../../core/redact.ts";
import { type Attempt, failed, type Run } from "../../core/run.ts";
import type { ModelAccess } from "../../core/study.ts";
import { CASSETTE_FILE, runOutDir, SPENT_FILE } from "../../core/study-folder.ts";
import { cacheIn } from "../../gateway/cache.ts";
import { answer, forward, type Send } from "../../gateway/forward.ts";
import { openRunTraffic, type RunTraffic } from "../../gateway/run-traffic.ts";
import { gatewayVariables, isVendors } from "../../gateway/upstream.ts";
import { replaceFile } from "../../host/files.ts";
import { GATE_VARIABLE } from "../../models/gate/gate-server.ts";
import { findGate } from "../../models/gate/index.ts";
import type { PriceTable } from "../../models/prices/price.ts";
import { readPriceFile } from "../../models/prices/price-file.ts";
import { RETRY_RULE } from "../../models/retry.ts";
import { writeTranscript } from "../../targets/coding/agents/write-transcript.ts";
import type { Place, Provided, Provision } from "./provision.ts";

/** Among the run's own files. */
const FILES = {
  calls: "model_calls.jsonl",
  trace: "trace.jsonl",
  difference: "replay.diff",
  transcripts: "trajectories",
};

/** Where a lane's gateway is, for programs that stay: the next run's has the same place. */
interface Lane {
  key: string;
  port?: number;
}

/**
 * The way to models for programs of any language: each try has a gateway of its own, which its environment leads to.
 * What it calls is counted as its own, and what no answer was had for is not its fault.
 */
export class ModelGateways implements Provision {
  readonly #access: ModelAccess;
  readonly #setting: Setting;
  readonly #prices: PriceTable;
  readonly #env: Record<string, string | undefined>;
  readonly #lanes: Lane[] = [];

  private constructor(access: ModelAccess, setting: Setting, prices: PriceTable) {
    this.#access = access;
    this.#setting = setting;
    this.#prices = prices;
    this.#env = { ...process.env, ...setting.env };
  }

  static async open(access: ModelAccess, setting: Setting): Promise<ModelGateways> {
    const { pricesFile } = access;
    return new ModelGateways(
      access,
      setting,
      pricesFile === undefined ? {} : await readPriceFile(pricesFile),
    );
  }

  async begin({ run }: Job, place: Place): Promise<Provided> {
    const lane = this.#laneOf(place.lane);
    const warnings: string[] = [];
    const traffic = await this.#openTraffic(run, { lane, signal: place.signal, warnings });
    if (isServed(this.#setting)) lane.port = Number(new URL(traffic.url).port);
    return {
      env: gatewayVariables({ url: traffic.url, key: lane.key }, this.#env),
      judge: async (attempt) => {
        await traffic.close();
        return this.#judge(run, withWarnings(attempt, warnings), traffic);
      },
    };
  }

  async close(): Promise<void> {}

  #laneOf(number: number): Lane {
    // Who shows it has its calls paid: nobody else on this machine knows it.
    if (!isServed(this.#setting)) return { key: newKey() };
    this.#lanes[number] ??= { key: newKey() };
    return this.#lanes[number];
  }

  #openTraffic(
    run: Run,
    { lane, signal, warnings }: { lane: Lane; signal: AbortSignal; warnings: string[] },
  ): Promise<RunTraffic> {
    const { studyDir, traffic, trace, artifacts, baseDir } = this.#setting;
    const outDir = runOutDir(studyDir, run.id);
    const inRun = (name: string) => (artifacts === "all" ? `${outDir}/${name}` : null);
    const { cacheDir, tries } = this.#access;
    const onProblem = (why: string) => warnings.includes(why) || warnings.push(why);
    const sample = JSON.stringify([run.seed, run.task, run.repeat]);
    const redactor = createRedactor(this.#env);
    const ask = withKey(lane.key, forward);
    const send =
      cacheDir === undefined
        ? ask
        : cacheIn({ dir: cacheDir, sample, isCounted: true, redactor, onProblem }, ask);
    const options = {
      ...{ send, env: this.#env, signal, prices: this.#prices, runId: run.id, isTraced: trace !== false },
      whose: { agent: "program", model: "", task: run.task ?? "", seed: run.seed, repeat: run.repeat },
      places: [
        { name: "<out>", path: outDir },
        { name: "<study>", path: studyDir },
        { name: "<base>", path: baseDir },
      ],
      ...(traffic && { traffic }),
      files: {
        calls: inRun(FILES.calls),
        trace: inRun(FILES.trace),
        cassette: inRun(CASSETTE_FILE),
        difference: inRun(FILES.difference),
      },
      gate: findGate(this.#env[GATE_VARIABLE] ?? ""),
      retry: { ...RETRY_RULE, tries },
      key: lane.key,
      onSpent: (costUsd: number) => noteSpent(outDir, costUsd),
    };
    const { port } = lane;
    if (port === undefined) return openRunTraffic(options);
    // Another program may have taken it meanwhile.
    return openRunTraffic({ ...options, port }).catch(() => openRunTraffic(options));
  }

  /** What a program can't have had from its models is not its doing, whatever it made of that. */
  #judge(run: Run, attempt: Attempt, traffic: RunTraffic): Attempt {
    const { calls } = traffic;
    const { status, exitCode } = attempt.outcome;
    if (calls.length === 0) return attempt;
    const exit = status === "timeout" ? "timeout" : String(exitCode ?? (status === "ok" ? 0 : 1));
    const failure = status === "cancelled" || status === "skipped" ? undefined : traffic.failure(exit);
    const { costUsd = null } = traffic.usage() ?? {};
    const told = failure ? {} : attempt.metrics;
    // A scorer's calls are not what its run is measured by.
    const ours = this.#setting.scoredDir === undefined ? metricsOf(traffic, costUsd) : {};
    this.#writeTranscript(run, { traffic, exit, failure, attempt });
    const outDir = runOutDir(this.#setting.studyDir, run.id);
    const late = [FILES.trace, transcriptOf(run)].filter((file) => existsSync(`${outDir}/${file}`));
    return {
      ...attempt,
      ...(failure && { outcome: failed(failure.owner, failure.reason) }),
      // What the program reports comes first, and stands.
      metrics: { ...told, ...ours, ...told },
      ...(attempt.costUsd === undefined && costUsd !== null && { costUsd }),
      ...(attempt.files && { files: [...new Set([...attempt.files, ...late])].sort() }),
    };
  }

  /** What was said, unless the program tells it itself. */
  #writeTranscript(run: Run, { traffic, exit, failure, attempt }: Written): void {
    const outDir = runOutDir(this.#setting.studyDir, run.id);
    const hasOwn = attempt.files?.some((file) => /\.traj(\.json)?$/.test(file));
    if (hasOwn || !existsSync(outDir)) return;
    const { transcript, calls, redactor } = traffic;
    try {
      writeTranscript(`${outDir}/${FILES.transcripts}`, {
        ...{ agent: "program", task: transcriptName(run), model: "", patch: "", isSolved: null },
        ...{ transcript, calls, redactor, exit, ...(failure && { failure }) },
      });
    } catch {
      // A full disk shows in the journal, which stops the study.
    }
  }
}

/** By the task, as agents' are. */
const transcriptName = ({ task }: Run) => (task ?? "calls").replaceAll(/[^\w.-]/g, "_");
const transcriptOf = (run: Run) => `${FILES.transcripts}/${transcriptName(run)}.traj`;

interface Written {
  traffic: RunTraffic;
  exit: string;
  failure: ReturnType<RunTraffic["failure"]>;
  attempt: Attempt;
}

/** One process serves many runs, so what leads it to its models must stay. */
function isServed({ target }: Setting): boolean {
  return target.kind === "command" && target.isWorker === true;
}

/** The stand-in for a key is no use to a vendor: who has none is told so here. */
function withKey(placeholder: string, send: Send): Send {
  return async (forwarding, onAnswer) => {
    const { incoming, outgoing, upstream, refusal } = forwarding;
    const isOurs = [incoming.url, ...Object.values(incoming.headers)].some((text) =>
      String(text).includes(placeholder),
    );
    if (!isOurs || upstream.key !== "" || !isVendors(upstream)) return send(forwarding, onAnswer);
    const text = `there is no key for ${upstream.base}: set it where Assay runs, or in .env beside the study file`;
    const body = refusal(text);
    onAnswer({ status: 401, headers: {} })?.add(Buffer.from(JSON.stringify(body)));
    answer(outgoing, 401, body);
    return { headers: {} };
  };
}

function newKey(): string {
  return `assay-${randomUUID()}`;
}

/** What the calls took, and what the cache has spared; a program that reports a metric itself knows best. */
function metricsOf(traffic: RunTraffic, costUsd: number | null): Attempt["metrics"] {
  const cached = traffic.calls.filter(({ isCached }) => isCached);
  const sum = (numbers: readonly (number | null | undefined)[]) =>
    numbers.some((one) => one === null || one === undefined)
      ? null
      : numbers.reduce<number>((total, one) => total + one!, 0);
  const savedMs = sum(cached.map(({ saved }) => saved?.wallMs));
  return {
    ...traffic.metrics(),
    cost_usd: costUsd,
    cached_calls: cached.length,
    saved_usd: sum(cached.map(({ saved }) => saved?.costUsd)),
    saved_seconds: savedMs === null ? null : savedMs / 1000,
  };
}

function withWarnings(attempt: Attempt, warnings: readonly string[]): Attempt {
  if (warnings.length === 0) return attempt;
  return { ...attempt, warnings: [...(attempt.warnings ?? []), ...warnings] };
}

/** What a run that is killed has cost. */
function noteSpent(outDir: string, costUsd: number): void {
  try {
    if (existsSync(outDir))
      replaceFile(`${outDir}/${SPENT_FILE}`, `${JSON.stringify({ costUsd })}\n`, { isDurable: false });
  } catch {
    // A full disk shows in the journal, which stops the study.
  }
}
