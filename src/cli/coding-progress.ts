import { relative } from "node:path";
import { durationText, numberText, plural } from "../core/number-text.ts";
import { hashOf, type RunRecord } from "../core/run.ts";
import type { Sink, StudyEvent, StudySummary } from "../core/sink.ts";
import { runDir, STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny } from "../host/files.ts";
import type { Manifest } from "../targets/coding/launch-files/manifest.ts";
import { RolloutOutput } from "./coding-output.ts";
import { printable, styleFor } from "./terminal.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const DRAW_MS = 100;

export interface RolloutProgressOptions {
  stream: NodeJS.WriteStream;
  /** -1 silent, 0 quiet with status icons, 1 plain lines of progress, 2 also what agents and tests print. */
  verbosity: number;
  /** The study file as seen from here, the study's name, and rollouts at the same time. */
  config: string;
  name: string;
  parallel: number;
  hide?(text: string): string;
}

/** How far a launch of rollouts is, each by its number; a spinner only on a terminal. */
export class RolloutProgress implements Sink {
  readonly #options: RolloutProgressOptions;
  readonly #style: ReturnType<typeof styleFor>;
  readonly #output: RolloutOutput | undefined;
  #runIds = new Map<string, string>();
  #studyDir = "";
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #total = 0;
  #done = 0;
  #hasLine = false;

  constructor(options: RolloutProgressOptions) {
    this.#options = options;
    this.#style = styleFor(options.stream);
    if (options.verbosity >= 2) this.#output = new RolloutOutput((line) => this.#say(line));
  }

  handle(event: StudyEvent): void {
    if (event.kind === "planned") this.#begin(event);
    else if (event.kind === "started") this.#started(event.run.id, event.reason);
    else if (event.kind === "retrying")
      this.#tell(`retrying ${this.#nameOf(event.run.id)} in ${durationText(event.waitMs)}: ${event.reason}`);
    else if (event.kind === "ended") this.#ended(event.record);
    else if (event.kind === "paused") this.#tell(`paused ${event.by}: runs in progress continue`);
    else if (event.kind === "resumed") this.#tell(`resumed ${event.by}`);
    else if (event.kind === "stopping") this.#tell(`stopping: ${event.why}`);
    else if (event.kind === "notice") this.#tell(event.text);
    else if (event.kind === "closed") this.#closed(event.summary);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#output?.close();
    this.#erase();
  }

  #begin({ total, finished, studyDir }: Extract<StudyEvent, { kind: "planned" }>): void {
    const { config, name, parallel, verbosity, stream } = this.#options;
    this.#total = total;
    this.#done = finished;
    this.#studyDir = studyDir;
    this.#runIds = readNumbers(studyDir);
    this.#tell(`config=${config} name=${name} tasks=${total} parallel=${parallel}`);
    this.#tell(`output=${relative(process.cwd(), studyDir) || "."}`);
    if (verbosity === 0) this.#tell("Running in quiet mode - use -vv for full output");
    const before = finished > 0 ? ` (${finished} done before)` : "";
    this.#tell(`Starting ${plural(total - finished, "task")} with parallel=${parallel}${before}`);
    if (verbosity !== 0 || !stream.isTTY) return;
    this.#timer = setInterval(() => this.#draw(), DRAW_MS);
    this.#timer.unref();
  }

  #started(id: string, reason: string): void {
    if (this.#options.verbosity > 0)
      this.#tell(`${this.#nameOf(id)} started${reason === "new" ? "" : ` (${reason})`}: ${id}`);
    this.#output?.follow(id, { name: this.#nameOf(id), dir: runDir(this.#studyDir, id) });
  }

  #ended(record: RunRecord): void {
    const { id, outcome } = record;
    this.#done++;
    this.#output?.end(id);
    const isGood = outcome.status === "ok";
    const word = isGood ? "completed" : outcome.status;
    const what = isGood ? resultText(record) : failureText(record);
    const mark = isGood ? this.#style.green("✓") : this.#style.red("✗");
    if (this.#options.verbosity > 0)
      this.#tell(`${this.#nameOf(id)} ${word} (${what}) ${this.#done}/${this.#total}`);
    else this.#say(`${mark} Task ${this.#nameOf(id)} ${word} (${what})`);
  }

  #closed({ ok, failed, cancelled, left, skipped }: StudySummary): void {
    clearInterval(this.#timer);
    const isAll = failed + cancelled + left === 0;
    const icon = isAll ? this.#style.green("✓") : this.#style.red("✗");
    const mark = this.#options.verbosity > 0 ? "[rollouts]" : icon;
    const rest = Object.entries({ failed, cancelled, left }).filter(([, count]) => count > 0);
    this.#say(
      isAll
        ? `${mark} All ${plural(this.#total, "task")} completed!`
        : `${mark} ${ok + skipped} of ${plural(this.#total, "task")} completed, ${rest.map(([word, count]) => `${count} ${word}`).join(", ")}`,
    );
  }

  #nameOf(id: string): string {
    return this.#runIds.get(hashOf(id)) ?? id;
  }

  #tell(text: string): void {
    this.#say(`[rollouts] ${printable(text)}`);
  }

  #say(line: string): void {
    if (this.#options.verbosity < 0) return;
    this.#erase();
    this.#options.stream.write(`${this.#options.hide?.(line) ?? line}\n`);
  }

  #erase(): void {
    if (this.#hasLine) this.#options.stream.write("\r\x1b[K");
    this.#hasLine = false;
  }

  #draw(): void {
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    this.#options.stream.write(`\r\x1b[K${frame} Running tasks... ${this.#done}/${this.#total} completed`);
    this.#hasLine = true;
  }
}

function resultText({ metrics, wallMs }: RunRecord): string {
  const { score, solved } = metrics;
  const what =
    solved === 1 ? "solved" : typeof score === "number" ? `score ${numberText(score, 3)}` : "no score";
  return `${what}, ${durationText(wallMs)}`;
}

function failureText({ outcome: { owner, reason, status } }: RunRecord): string {
  return printable(`${owner === undefined ? "" : `${owner}: `}${reason ?? status}`);
}

function readNumbers(studyDir: string): Map<string, string> {
  const manifest = readJsonIfAny<Partial<Manifest>>(`${studyDir}/${STUDY_FILES.manifest}`);
  return new Map(manifest?.results?.map(({ assay_run, run_id }) => [hashOf(assay_run), run_id]));
}
