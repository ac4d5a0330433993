import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { agentOf } from "../../../core/agent-run.ts";
import { fixedText } from "../../../core/number-text.ts";
import { hashOf, type Owner, type Run, type RunRecord, type Status } from "../../../core/run.ts";
import type { Sink, StudyEvent } from "../../../core/sink.ts";
import { launchIndex, runOutDir, STUDY_FILES } from "../../../core/study-folder.ts";
import { readJsonIfAny, replaceFile } from "../../../host/files.ts";
import type { LaunchFacts } from "../../target.ts";

const WRITE_MS = 300;
/** A manifest of many thousand rollouts is written less often, so that it never takes more than this share of time. */
const MOST_SHARE = 0.05;
/** Files of a rollout that name it: inside they have the run's id, outside the launch's number for it. */
const NAMED_FILES = ["results.json", "metadata.json", "evaluation_results.json"];

/**
 * Keeps what a launch's page is about current while it runs: manifest.json, runs.txt, task_results/, the
 * launch's index in data/temp and the links of data/runs. The journal is the truth, so all of it can be made again from there.
 */
export class RolloutManifest implements Sink {
  readonly #facts: LaunchFacts;
  readonly #manifest: Manifest;
  readonly #rows = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writeMs = 0;

  constructor(facts: LaunchFacts) {
    const { studyDir, config, name, stamp, runs, records } = facts;
    this.#facts = facts;
    this.#manifest = { config, name, created_at: stamp, results: [] };
    for (const [index, run] of runs.entries()) {
      const runId = `${stamp}-${index}`;
      this.#rows.set(hashOf(run.id), index);
      this.#manifest.results.push(
        pendingRow(run, { runId, runDir: this.#shown(this.#linkOf(runId, run.id)) }),
      );
    }
    mkdirSync(join(studyDir, STUDY_FILES.taskResults), { recursive: true });
    if (facts.linkDir !== undefined) mkdirSync(facts.linkDir, { recursive: true });
    for (const record of records) this.#end(record, { isOld: true });
    const dirs = this.#manifest.results.map(({ run_dir }) => `${run_dir}\n`);
    replace(join(studyDir, STUDY_FILES.runList), dirs.join(""));
    if (facts.linkDir !== undefined) this.#writeIndex(join(dirname(facts.linkDir), launchIndex(name, stamp)));
    this.#write();
  }

  handle(event: StudyEvent): void {
    if (event.kind === "started") {
      const row = this.#rowOf(event.run.id);
      if (!row) return;
      row.status = "running";
      this.#link(row.run_id, event.run.id);
    } else if (event.kind === "ended") this.#end(event.record);
    else return;
    this.#timer ??= setTimeout(() => this.#write(), Math.max(WRITE_MS, this.#writeMs / MOST_SHARE)).unref();
  }

  /** What was under way and has no record was cut off. */
  close(): void {
    for (const row of this.#manifest.results) if (row.status === "running") row.status = "pending";
    this.#write();
  }

  #rowOf(id: string): ManifestRow | undefined {
    return this.#manifest.results[this.#rows.get(hashOf(id)) ?? -1];
  }

  /** An old one has its files, unless whoever ran it was killed before it could write them. */
  #end(record: RunRecord, { isOld = false } = {}): void {
    const row = this.#rowOf(record.id);
    if (!row) return;
    const ended = endedRow(row, record);
    if (this.#facts.linkDir === undefined) ended.run_dir = this.#shown(this.#outOf(record.id));
    this.#manifest.results[this.#rows.get(hashOf(record.id))!] = ended;
    const file = join(this.#facts.studyDir, STUDY_FILES.taskResults, `${ended.run_id}.json`);
    if (isOld && readJsonIfAny(file) !== undefined) return;
    this.#link(ended.run_id, record.id);
    this.#safely(() => {
      for (const name of NAMED_FILES) renameInside(join(this.#outOf(record.id), name), ended.run_id);
      replace(file, this.#text(taskResult(ended, record)));
    });
  }

  #outOf(id: string): string {
    return runOutDir(this.#facts.studyDir, id);
  }

  #linkOf(runId: string, id: string): string {
    const { linkDir } = this.#facts;
    return linkDir === undefined ? this.#outOf(id) : join(linkDir, runId);
  }

  #shown(path: string): string {
    return relative(this.#facts.callerDir, path) || ".";
  }

  #link(runId: string, id: string): void {
    const { linkDir } = this.#facts;
    if (linkDir === undefined) return;
    const link = join(linkDir, runId);
    this.#safely(() => {
      rmSync(link, { force: true });
      symlinkSync(relative(dirname(link), this.#outOf(id)), link);
    });
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const start = performance.now();
    this.#safely(() => replace(join(this.#facts.studyDir, STUDY_FILES.manifest), this.#text(this.#manifest)));
    this.#writeMs = performance.now() - start;
  }

  #writeIndex(path: string): void {
    const { results, created_at } = this.#manifest;
    const index = {
      created_at,
      rollout_dir: this.#shown(this.#facts.studyDir),
      runs: results.map(({ run_dir }) => run_dir),
      tasks: results.map(({ task_dir }) => task_dir),
    };
    this.#safely(() => {
      mkdirSync(dirname(path), { recursive: true });
      replace(path, this.#text(index));
    });
  }

  #text(value: unknown): string {
    return `${this.#facts.redactor.toJson(value, 2)}\n`;
  }

  /** A full disk shows in the journal, which stops the study; a sink must not throw. */
  #safely(write: () => void): void {
    try {
      write();
    } catch {
      // Made again at the next launch.
    }
  }
}

/** The journal is what must outlive a power cut. */
function replace(path: string, text: string): void {
  replaceFile(path, text, { isDurable: false });
}

/** A rollout that was cut short has no such file. */
function renameInside(path: string, runId: string): void {
  const content = readJsonIfAny<{ run_id?: string }>(path);
  if (content?.run_id === undefined || content.run_id === runId) return;
  replace(path, `${JSON.stringify({ ...content, run_id: runId }, null, 2)}\n`);
}

/** task_results/<run_id>.json: what came of one rollout. What is unknown is null. */
interface TaskResult {
  run_id: string;
  task_dir: string;
  run_dir: string;
  model: string;
  agent: string;
  rollout: number;
  status: ManifestRow["status"];
  owner: string | null;
  reason: string | null;
  score: number | null;
  solved: number | null;
  cost_usd: number | null;
  seconds: number;
  agent_exit: string | null;
  patch: string | null;
}

function taskResult(row: ManifestRow, { metrics, labels, wallMs, costUsd }: RunRecord): TaskResult {
  return {
    run_id: row.run_id,
    task_dir: row.task_dir,
    run_dir: row.run_dir,
    model: row.model,
    agent: row.agent,
    rollout: row.rollout,
    status: row.status,
    owner: row.owner ?? null,
    reason: row.reason ?? null,
    score: metrics.score ?? null,
    solved: metrics.solved ?? null,
    cost_usd: metrics.cost_usd ?? costUsd ?? null,
    seconds: Number(fixedText(wallMs / 1000, 3)),
    agent_exit: labels?.agent_exit ?? null,
    patch: labels?.patch ?? null,
  };
}

/** manifest.json of a launch: which rollouts it has, and how each of them stands. */
export interface Manifest {
  /** The study file, as seen from where the command was called. */
  config: string;
  name: string;
  /** The launch's time, which is its folder's name. */
  created_at: string;
  results: ManifestRow[];
}

interface ManifestRow {
  task_dir: string;
  run_dir: string;
  run_id: string;
  /** 0 where the rollout was graded; null until it has ended. */
  launch_rc: number | null;
  status: RolloutStatus;
  model: string;
  agent: string;
  /** Counted from 1 for each task and cell. */
  rollout: number;
  /** The run's id in the journal. */
  assay_run: string;
  owner?: Owner;
  reason?: string;
  /** The agent's exit code, or what ended it. */
  agent_exit?: string;
  /** Calls to its models, and those that failed, where they were counted. */
  model_calls?: number;
  failed_calls?: number;
}

type RolloutStatus = "pending" | "running" | "completed" | Exclude<Status, "ok">;

/** A rollout that nobody has begun, or that has no record yet. */
function pendingRow(run: Run, place: { runId: string; runDir: string }): ManifestRow {
  return {
    task_dir: run.task ?? "",
    run_dir: place.runDir,
    run_id: place.runId,
    launch_rc: null,
    status: "pending",
    ...agentOf(run.params),
    rollout: run.seed,
    assay_run: run.id,
  };
}

/** The row of a rollout that has ended. */
function endedRow(row: ManifestRow, { id, outcome, labels, metrics }: RunRecord): ManifestRow {
  const { status, owner, reason, exitCode } = outcome;
  const agentExit = labels?.agent_exit;
  const { model_calls, failed_calls } = metrics;
  const { task_dir, run_dir, run_id, model, agent, rollout } = row;
  return {
    ...{ task_dir, run_dir, run_id, model, agent, rollout },
    launch_rc: status === "ok" ? 0 : (exitCode ?? 1),
    status: status === "ok" ? "completed" : status,
    assay_run: id,
    ...(owner !== undefined && { owner }),
    ...(reason !== undefined && { reason }),
    ...(agentExit !== undefined && { agent_exit: agentExit }),
    ...(typeof model_calls === "number" && { model_calls }),
    ...(typeof failed_calls === "number" && { failed_calls }),
  };
}
