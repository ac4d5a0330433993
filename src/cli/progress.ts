import { relative } from "node:path";
import { countText, durationText, plural } from "../core/number-text.ts";
import type { RunRecord } from "../core/run.ts";
import type { Sink, StudyEvent } from "../core/sink.ts";
import { printable, styleFor } from "./terminal.ts";

const DRAW_MS = 100;
const PLAIN_MS = 10_000;
/** Runs done again are named one by one up to this many, then counted. */
const MOST_NAMED = 20;

export interface ProgressOptions {
  stream: NodeJS.WriteStream;
  /** -1 quiet, 0 normal, 1 a line for each run that ended, 2 also for each that started. */
  verbosity: number;
  /** Takes secrets out of what is shown: a terminal's output may be kept in a log. */
  hide?(text: string): string;
}

/** How far a study is: one live line on a terminal, plain lines elsewhere. */
export class Progress implements Sink {
  readonly #stream: NodeJS.WriteStream;
  readonly #verbosity: number;
  readonly #hide: (text: string) => string;
  readonly #style: ReturnType<typeof styleFor>;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #reasons = new Map<string, number>();
  #start = performance.now();
  #total = 0;
  #finished = 0;
  #ok = 0;
  #failed = 0;
  #running = 0;
  #newestFailure = "";
  #hasLine = false;

  constructor({ stream, verbosity, hide = (text) => text }: ProgressOptions) {
    this.#stream = stream;
    this.#hide = hide;
    this.#verbosity = verbosity;
    this.#style = styleFor(stream);
    if (verbosity < 0) return;
    this.#timer = setInterval(() => this.#draw(), stream.isTTY ? DRAW_MS : PLAIN_MS);
    this.#timer.unref();
  }

  handle(event: StudyEvent): void {
    if (event.kind === "planned") {
      this.#total = event.total;
      this.#finished = event.finished;
      this.#start = performance.now();
      if (this.#verbosity < 0) return;
      const before = event.finished > 0 ? `, ${countText(event.finished)} done before` : "";
      this.#say(
        `${plural(event.total, "run")}${before} -> ${relative(process.cwd(), event.studyDir) || "."}`,
      );
    } else if (event.kind === "started") this.#started(event.run.id, event.reason);
    else if (event.kind === "retrying") {
      this.#say(
        `${this.#style.yellow("retry")} ${event.run.id} in ${durationText(event.waitMs)}: ${printable(event.reason)}`,
      );
    } else if (event.kind === "ended") this.#ended(event.record);
    else if (event.kind === "paused")
      this.#say(`paused ${event.by}: nothing more starts, runs in progress continue`);
    else if (event.kind === "resumed") this.#say(`resumed ${event.by}`);
    else if (event.kind === "stopping") this.#say(`stopping: ${event.why}`);
    else if (event.kind === "notice") this.#say(`${this.#style.yellow("note")} ${printable(event.text)}`);
    else this.#close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#erase();
  }

  #started(id: string, reason: string): void {
    this.#running++;
    const kind = reason.split(":")[0]!;
    const seen = (this.#reasons.get(kind) ?? 0) + 1;
    this.#reasons.set(kind, seen);
    if (this.#verbosity >= 2 || (reason !== "new" && seen <= MOST_NAMED && this.#verbosity >= 0)) {
      this.#say(`${this.#style.cyan("run")} ${id}: ${printable(reason)}`);
    }
  }

  #ended(record: RunRecord): void {
    this.#running--;
    const { status, owner, reason } = record.outcome;
    const isGood = status === "ok" || status === "stopped";
    if (isGood) this.#ok++;
    else {
      this.#failed++;
      this.#newestFailure = this.#hide(printable(`${record.id}: ${reason ?? status}`));
    }
    if (this.#verbosity < 1 && (isGood || this.#verbosity < 0)) return;
    const word = isGood ? this.#style.green(status) : this.#style.red(status);
    const why = status === "ok" ? "" : printable(` ${owner ? `(${owner}) ` : ""}${reason ?? ""}`);
    this.#say(`${word} ${record.id} ${durationText(record.wallMs)}${why}`);
  }

  #close(): void {
    const unnamed = [...this.#reasons].filter(([kind, count]) => kind !== "new" && count > MOST_NAMED);
    if (this.#verbosity < 0 || this.#verbosity > 1) return;
    for (const [kind, count] of unnamed)
      this.#say(`... and ${plural(count - MOST_NAMED, "run")} more: ${kind}`);
  }

  #say(line: string): void {
    this.#erase();
    this.#stream.write(`${this.#hide(line)}\n`);
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
    });
    if (!this.#stream.isTTY) {
      this.#stream.write(`${text}\n`);
      return;
    }
    const width = (this.#stream.columns || 80) - 1;
    const bar = width > 70 ? `${barOf(done / this.#total, 20)} ` : "";
    const failure = this.#newestFailure && `  last failure ${this.#newestFailure}`;
    const line = `${bar}${text}${failure}`.slice(0, width);
    this.#stream.write(`\r\x1b[K${line}`);
    this.#hasLine = true;
  }

  #etaMs(done: number): number | null {
    const fresh = done - this.#finished;
    if (fresh === 0) return null;
    return ((performance.now() - this.#start) / fresh) * (this.#total - done);
  }
}

interface HowFar {
  done: number;
  total: number;
  failed: number;
  running: number;
  etaMs: number | null;
}

export function progressText({ done, total, failed, running, etaMs }: HowFar): string {
  return [
    `${countText(done)}/${countText(total)}`,
    `${Math.floor((100 * done) / total)} %`,
    failed > 0 && `${countText(failed)} failed`,
    `${countText(running)} running`,
    etaMs !== null && `ETA ${durationText(etaMs)}`,
  ]
    .filter(Boolean)
    .join("  ");
}

function barOf(share: number, width: number): string {
  const full = Math.round(share * width);
  return `[${"#".repeat(full)}${".".repeat(width - full)}]`;
}
