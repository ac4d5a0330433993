import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { addUsd } from "../core/number-text.ts";
import { METRICS_TYPE, type MetricFamily, metricsText } from "../core/open-metrics.ts";
import { type RunRecord, STATUSES, type Status } from "../core/run.ts";
import type { Sink, StudyEvent } from "../core/sink.ts";
import type { WorkerRecord } from "../fleet/registry.ts";
import { PROGRAM_VERSION } from "../host/environment.ts";
import { portRefusal } from "../server/start-server.ts";
import type { MetricsAddress } from "./read-option.ts";

/** Answers GET /metrics until it is closed; it keeps no process alive. */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  read: () => MetricFamily[],
): Promise<{ close(): void }> {
  const server = createServer((request, answer) => {
    if (request.url?.split("?")[0] !== "/metrics") return void answer.writeHead(404).end("GET /metrics\n");
    if (request.method !== "GET") return void answer.writeHead(405, { Allow: "GET" }).end();
    answer.writeHead(200, { "Content-Type": METRICS_TYPE }).end(metricsText([buildInfo(), ...read()]));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(portRefusal(error, port, "--metrics")));
    server.listen(port, host, resolve);
  });
  server.unref();
  const { address, port: taken, family } = server.address() as AddressInfo;
  const shown = family === "IPv6" ? `[${address}]` : address;
  process.stderr.write(`metrics: http://${shown}:${taken}/metrics\n`);
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Of the launch of one study in this process. */
export async function startMetrics(
  study: string,
  address: MetricsAddress,
): Promise<{ sink: Sink; close(): void }> {
  const sink = new StudyMetrics(study);
  const { close } = await serveMetrics(address, () => sink.families());
  return { sink, close };
}

function buildInfo(): MetricFamily {
  const samples = [{ labels: { version: PROGRAM_VERSION }, value: 1 }];
  return { name: "assay_build", type: "info", help: "Which Assay this is.", samples };
}

/** Metrics that programs and targets report of their tokens, by what they count. */
const TOKENS: Record<string, RegExp> = {
  input: /^(tokens_input|(total_raw_)?input_tokens)$/,
  cached_input: /^(tokens_cached|(total_)?cached_input_tokens)$/,
  output: /^(tokens_output|(total_)?output_tokens)$/,
};

/** Counts what happens while a study runs. */
export class StudyMetrics implements Sink {
  readonly #study: string;
  readonly #ended = new Map<Status, number>();
  readonly #running = new Set<string>();
  readonly #tokens = new Map<string, number>();
  #total = 0;
  #foundDone = 0;
  #finished = 0;
  #retries = 0;
  #costUsd = 0;
  #runSeconds = 0;
  #isPaused = false;

  constructor(study: string) {
    this.#study = study;
  }

  handle(event: StudyEvent): void {
    if (event.kind === "planned") {
      this.#total = event.total;
      this.#foundDone = event.finished;
    } else if (event.kind === "started") this.#running.add(event.run.id);
    else if (event.kind === "retrying") this.#retries++;
    else if (event.kind === "ended") this.#end(event.record);
    else if (event.kind === "paused" || event.kind === "resumed") this.#isPaused = event.kind === "paused";
  }

  #end({ id, outcome, costUsd = 0, wallMs, metrics }: RunRecord): void {
    this.#running.delete(id);
    this.#finished++;
    this.#ended.set(outcome.status, (this.#ended.get(outcome.status) ?? 0) + 1);
    this.#costUsd = addUsd(this.#costUsd, costUsd);
    this.#runSeconds += wallMs / 1000;
    for (const [kind, pattern] of Object.entries(TOKENS))
      for (const [name, value] of Object.entries(metrics))
        if (pattern.test(name) && value !== null && value >= 0)
          this.#tokens.set(kind, (this.#tokens.get(kind) ?? 0) + value);
  }

  families(): MetricFamily[] {
    const study = this.#study;
    const one = (value: number) => [{ labels: { study }, value }];
    const waiting = Math.max(0, this.#total - this.#foundDone - this.#finished - this.#running.size);
    const byStatus = STATUSES.map((status) => ({
      labels: { study, status },
      value: this.#ended.get(status) ?? 0,
    }));
    const tokens = [...this.#tokens].map(([kind, value]) => ({ labels: { study, kind }, value }));
    const families: MetricFamily[] = [
      {
        name: "assay_runs",
        type: "counter",
        help: "Runs that ended in this launch, by status.",
        samples: byStatus,
      },
      {
        name: "assay_runs_running",
        type: "gauge",
        help: "Runs in progress.",
        samples: one(this.#running.size),
      },
      {
        name: "assay_runs_waiting",
        type: "gauge",
        help: "Runs that have not been started.",
        samples: one(waiting),
      },
      {
        name: "assay_runs_planned",
        type: "gauge",
        help: "Runs that the study has.",
        samples: one(this.#total),
      },
      {
        name: "assay_runs_retried",
        type: "counter",
        help: "Tries that are made again.",
        samples: one(this.#retries),
      },
      {
        name: "assay_run_seconds",
        type: "counter",
        help: "How long ended runs took.",
        samples: one(this.#runSeconds),
      },
      { name: "assay_cost_usd", type: "counter", help: "What ended runs cost.", samples: one(this.#costUsd) },
      {
        name: "assay_paused",
        type: "gauge",
        help: "1 while nothing is started.",
        samples: one(Number(this.#isPaused)),
      },
    ];
    if (tokens.length > 0)
      families.push({
        name: "assay_tokens",
        type: "counter",
        help: "Tokens of ended runs.",
        samples: tokens,
      });
    return families;
  }
}

/** What a worker of a queue says of itself. */
export function workerFamilies({
  id,
  done,
  failed,
  doing,
  jobs,
  state,
  refusals,
  lacks,
}: WorkerRecord): MetricFamily[] {
  const worker = id;
  const one = (value: number) => [{ labels: { worker }, value }];
  const byStatus = { ok: done - failed, failed };
  const studies = new Map<string, number>();
  for (const { name } of doing) studies.set(name, (studies.get(name) ?? 0) + 1);
  return [
    {
      ...{
        name: "assay_worker_runs",
        type: "counter",
        help: "Runs that this worker did, by how they ended.",
      },
      samples: Object.entries(byStatus).map(([status, value]) => ({ labels: { worker, status }, value })),
    },
    {
      ...{ name: "assay_worker_running", type: "gauge", help: "Runs in progress, by study." },
      samples: [...studies].map(([study, value]) => ({ labels: { worker, study }, value })),
    },
    { name: "assay_worker_slots", type: "gauge", help: "Runs that it can do at once.", samples: one(jobs) },
    {
      ...{ name: "assay_worker_declined", type: "gauge", help: "Studies that it can't run." },
      samples: one(Object.keys(lacks).length),
    },
    {
      ...{ name: "assay_worker_refusals", type: "gauge", help: "Messages that it refused lately." },
      samples: one(refusals.length),
    },
    {
      ...{
        name: "assay_worker_taking",
        type: "gauge",
        help: "1 while it takes runs, 0 while paused or draining.",
      },
      samples: one(Number(state === "running")),
    },
  ];
}
