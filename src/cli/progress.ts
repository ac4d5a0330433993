import { relative } from "node:path";
import { readStudyFile } from "../archive/read-records.ts";
import type { Standing } from "../core/decider.ts";
import { countText, durationText, numberText, plural } from "../core/number-text.ts";
import type { Run, RunRecord } from "../core/run.ts";
import type { Sink, StudyEvent } from "../core/sink.ts";
import { runDir, type StudyFile } from "../core/study-folder.ts";
import { runNamer } from "../design/run-name.ts";
import { FollowedOutput } from "./follow-output.ts";
import { printable, prose, room, styleFor } from "./terminal.ts";

/** Tells a command that it is the one in the background; whoever started it listens until the study is under way. */
export const DETACHED = "ASSAY_DETACHED";
const DRAW_MS = 100;
const PLAIN_MS = 10_000;
/** Runs done again are named one by one up to this many, then counted. */
const MOST_NAMED = 20;

export interface ProgressOptions {
  stream: NodeJS.WriteStream;
  /**
   * -1 quiet, 0 normal, 1 a line for each run that ended, 2 also for each that started and what agents and tests
   * print. Rollouts take minutes each: their ends are shown at 0, too.
   */
  verbosity: number;
  /** Takes secrets out of what is shown: a terminal's output may be kept in a log. */
  hide?(text: string): string;
  /** How many of the runs that are done were done by this very command. */
  doneNow?: number;
}

/** How far a study of any kind is: one live line on a terminal, plain lines elsewhere. */
export class Progress implements Sink {
  readonly #stream: NodeJS.WriteStream;
  readonly #verbosity: number;
  readonly #output: FollowedOutput | undefined;
  readonly #hide: (text: string) => string;
  readonly #doneNow: number;
  readonly #style: ReturnType<typeof styleFor>;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #reasons = new Map<string, number>();
  #start = performance.now();
  #studyDir = "";
  #nameOf: (run: Run) => string = ({ id }) => id;
  #metric: string | undefined;
  #showsEnds: boolean;
  #total = 0;
  #finished = 0;
  #ok = 0;
  #failed = 0;
  #running = 0;
  #hasLine = false;
  #standing: Standing | undefined;

  constructor({ stream, verbosity, hide = (text) => text, doneNow = 0 }: ProgressOptions) {
    this.#stream = stream;
    this.#hide = hide;
    this.#doneNow = doneNow;
    this.#verbosity = verbosity;
    this.#style = styleFor(stream);
    this.#showsEnds = verbosity >= 1;
    if (verbosity < 0) return;
    if (verbosity >= 2) this.#output = new FollowedOutput((line) => this.#say(line));
    this.#timer = setInterval(() => this.#draw(), stream.isTTY ? DRAW_MS : PLAIN_MS);
    this.#timer.unref();
  }

  handle(event: StudyEvent): void {
    if (event.kind === "planned") this.#begin(event);
    else if (event.kind === "started") this.#started(event.run, event.reason);
    else if (event.kind === "ended") this.#ended(event.record);
    else if (event.kind === "retrying") {
      const { run, waitMs, reason } = event;
      const name = this.#nameOf(run);
      this.#say(
        `${line(this.#style.yellow("retry"), name, `in ${durationText(waitMs)}`)}: ${printable(reason)}`,
      );
    } else if (event.kind === "deciding") this.#standing = event.standing;
    else if (event.kind === "paused")
      this.#say(`paused ${event.by}: nothing more starts, runs in progress continue`);
    else if (event.kind === "resumed") this.#say(`resumed ${event.by}`);
    else if (event.kind === "adjusted") this.#say(`adjusted ${event.by}: ${adjustedText(event)}`);
    else if (event.kind === "repeating") {
      this.#failed -= event.runs;
      this.#say(`${plural(event.runs, "run")} that the infrastructure broke again, ${event.by}`);
    } else if (event.kind === "stopping") this.#say(`stopping: ${event.why}`);
    else if (event.kind === "notice") this.#say(`${this.#style.yellow("note")} ${printable(event.text)}`);
    else this.#close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#output?.close();
    this.#erase();
  }

  #begin({ total, finished, studyDir }: Extract<StudyEvent, { kind: "planned" }>): void {
    this.#total = total;
    this.#finished = finished;
    this.#studyDir = studyDir;
    this.#start = performance.now();
    if (this.#verbosity < 0) return;
    const file = readStudyFile(studyDir);
    if (file) {
      const nameOf = runNamer(file.study);
      this.#nameOf = (run) => printable(nameOf(run));
      this.#metric = shownMetric(file);
      if (file.study.isStamped) this.#showsEnds = true;
    }
    const early = finished - this.#doneNow;
    const before = early > 0 ? `, ${countText(early)} done before` : "";
    this.#say(`${plural(total, "run")}${before} -> ${relative(process.cwd(), studyDir) || "."}`);
  }

  #started(run: Run, reason: string): void {
    this.#running++;
    const kind = reason.split(":")[0]!;
    const seen = (this.#reasons.get(kind) ?? 0) + 1;
    this.#reasons.set(kind, seen);
    const name = this.#nameOf(run);
    if (this.#verbosity >= 2) this.#say(`${line(this.#run, name, `(${run.id})`)}: ${printable(reason)}`);
    else if (reason !== "new" && seen <= MOST_NAMED && this.#verbosity >= 0)
      this.#say(`${line(this.#run, name)}: ${printable(reason)}`);
    this.#output?.follow(run.id, { name, dir: runDir(this.#studyDir, run.id) });
  }

  get #run(): string {
    return this.#style.cyan("run");
  }

  #ended(record: RunRecord): void {
    this.#running--;
    this.#output?.end(record.id);
    const { status, owner, reason } = record.outcome;
    const isGood = status === "ok" || status === "stopped";
    if (isGood) this.#ok++;
    else this.#failed++;
    if (!this.#showsEnds && (isGood || this.#verbosity < 0)) return;
    const name = this.#nameOf(record);
    const time = durationText(record.wallMs);
    if (isGood) {
      const what = status === "ok" ? resultText(record, this.#metric) : reason;
      const end = line(this.#style.green(status), name, `in ${time}`);
      this.#say(what ? `${end}: ${printable(what)}` : end);
      return;
    }
    const whose = owner === undefined ? "" : `(${owner})`;
    this.#say(
      `${line(this.#style.red(status), name, `after ${time}`, whose)}: ${printable(reason ?? status)}`,
    );
  }

  #close(): void {
    const unnamed = [...this.#reasons].filter(([kind, count]) => kind !== "new" && count > MOST_NAMED);
    if (this.#verbosity < 0 || this.#verbosity > 1) return;
    for (const [kind, count] of unnamed)
      this.#say(`... and ${plural(count - MOST_NAMED, "run")} more: ${kind}`);
  }

  #say(line: string): void {
    this.#erase();
    this.#stream.write(`${prose(this.#hide(line), room(this.#stream))}\n`);
  }

  #erase(): void {
    if (this.#hasLine) this.#stream.write("\r\x1b[K");
    this.#hasLine = false;
  }

  #draw(): void {
    if (this.#total === 0) return;
    const done = this.#finished + this.#ok + this.#failed;
    const text = progressText({
      done,
      total: this.#total,
      failed: this.#failed,
      running: this.#running,
      etaMs: this.#etaMs(done),
      standing: this.#standing,
    });
    if (!this.#stream.isTTY) {
      this.#stream.write(`${text}\n`);
      return;
    }
    const width = (this.#stream.columns || 80) - 1;
    const bar = width > 70 ? `${barOf(done / this.#total, 20)} ` : "";
    this.#stream.write(`\r\x1b[K${`${bar}${text}`.slice(0, width)}`);
    this.#hasLine = true;
  }

  #etaMs(done: number): number | null {
    const fresh = done - this.#finished;
    if (fresh === 0) return null;
    return ((performance.now() - this.#start) / fresh) * (this.#total - done);
  }
}

function line(...words: string[]): string {
  return words.filter(Boolean).join(" ");
}

/** The metric to print when a run ends: what the study compares or searches for, else the target's main one. */
function shownMetric({ study, metrics }: StudyFile): string | undefined {
  const own = study.analysis.metric ?? study.search?.objectives[0]?.metric;
  return own ?? Object.entries(metrics ?? {}).find(([, { primary }]) => primary)?.[0];
}

function resultText({ metrics }: RunRecord, metric: string | undefined): string {
  const { solved, score } = metrics;
  // Whether a task is solved says more than the 1 or 0 that stands for it.
  if (solved === 1) return "solved";
  if (solved === 0) return typeof score === "number" ? `score ${numberText(score, 3)}` : "not solved";
  const value = metric === undefined ? undefined : metrics[metric];
  return typeof value === "number" ? `${metric} ${numberText(value)}` : "";
}

interface HowFar {
  done: number;
  total: number;
  failed: number;
  running: number;
  etaMs: number | null;
  /** Of a study that decides as it goes, which may end any time: how much longer it takes is not known. */
  standing?: Standing | undefined;
}

export function progressText({ done, total, failed, running, etaMs, standing }: HowFar): string {
  return [
    `${countText(done)}/${countText(total)}`,
    `${Math.floor((100 * done) / total)} %`,
    failed > 0 && `${countText(failed)} failed`,
    `${countText(running)} running`,
    standing ? standingText(standing) : etaMs !== null && `ETA ${durationText(etaMs)}`,
  ]
    .filter(Boolean)
    .join("  ");
}

function standingText({ rounds, of, noun, settled, pairs }: Standing): string {
  const after = `${countText(rounds)} of ${plural(of, noun)}`;
  if (settled === pairs) return `decided in ${after}`;
  return settled === 0
    ? `not decided after ${after}`
    : `${countText(settled)} of ${plural(pairs, "pair")} decided after ${after}`;
}

function barOf(share: number, width: number): string {
  const full = Math.round(share * width);
  return `[${"#".repeat(full)}${".".repeat(width - full)}]`;
}

/** What a running study goes on with. */
function adjustedText({ jobs, costUsd, wallMs }: Extract<StudyEvent, { kind: "adjusted" }>): string {
  return [
    jobs === undefined ? "" : `${plural(jobs, "run")} at once`,
    costUsd === undefined ? "" : `at most $${costUsd}`,
    wallMs === undefined ? "" : `at most ${durationText(wallMs)} in all`,
  ]
    .filter((text) => text !== "")
    .join(", ");
}

/** In the background: says once that the study is under way. */
export function tellParent(): Sink[] {
  if (process.env[DETACHED] === undefined) return [];
  // What runs in the study must not take itself for the one that was detached.
  delete process.env[DETACHED];
  const handle: Sink["handle"] = (event) => {
    if (event.kind === "planned" && process.connected) process.send!({ studyDir: event.studyDir });
  };
  return [{ handle }];
}
