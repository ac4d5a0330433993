import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRedactor } from "../../src/core/redact.ts";
import type { RunRecord } from "../../src/core/run.ts";
import { removeTree } from "../../src/host/files.ts";
import { assayPath, type Ended, Launched } from "./launch.ts";
import { killAll, processesIn } from "./processes.ts";

const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));

/** A copy of `test/fixtures/<name>` in a temporary folder, with some files replaced, and `assay` to call in it. */
export async function fixture(name: string, files: Record<string, string> = {}): Promise<Project> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `assay-${name}-`)));
  cpSync(join(fixtures, name), dir, { recursive: true });
  const project = new Project(dir);
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return project;
}

/** Tests need nobody's keys, and what is taken out of captured files depends on them. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSecret = ([name, value]: [string, string | undefined]) =>
    createRedactor({ [name]: value }).needles.length > 0;
  return Object.fromEntries(Object.entries(env).filter((entry) => !isSecret(entry)));
}

export class Project implements AsyncDisposable {
  readonly dir: string;
  /** On top of what the tests themselves have. */
  env: Record<string, string> = {};
  readonly #started: Launched[] = [];

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Runs one command to its end. */
  assay(...words: string[]): Promise<Ended> {
    return this.start(...words).ended;
  }

  /** Runs a study to its end without the report, which most tests have no use for and which takes longer than their studies. */
  run(...words: string[]): Promise<Ended> {
    return this.assay("run", ...words, "--no-report");
  }

  /** Starts one command in the background. */
  start(...words: string[]): Launched {
    return this.launch([process.execPath, assayPath, ...words]);
  }

  launch(argv: string[]): Launched {
    const env = { ...withoutSecrets(process.env), NO_COLOR: "1", NODE_OPTIONS: "", ...this.env };
    const launched = new Launched(argv, { cwd: this.dir, env });
    this.#started.push(launched);
    return launched;
  }

  path(path: string): string {
    return join(this.dir, path);
  }

  exists(path: string): boolean {
    return existsSync(this.path(path));
  }

  read(path: string): string {
    return readFileSync(this.path(path), "utf8");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  /** Replaces a piece of a file, which must be there once. */
  edit(path: string, from: string, to: string): void {
    const text = this.read(path);
    if (text.split(from).length !== 2) throw new Error(`${path} has not one "${from}"`);
    this.write(
      path,
      text.replace(from, () => to),
    );
  }

  list(path: string): string[] {
    return this.exists(path) ? readdirSync(this.path(path)) : [];
  }

  /** The records of a study's journal. Every line must be one; only while a program writes may the last be cut. */
  records(study: string): RunRecord[] {
    const path = `bench_runs/${study}/journal.jsonl`;
    if (!this.exists(path)) return [];
    const lines = this.read(path).split("\n");
    const isWritten = this.#started.some(({ isOver }) => !isOver);
    if (lines.pop() !== "" && !isWritten) throw new Error("the journal does not end with a newline");
    return lines.map((line) => JSON.parse(line) as RunRecord);
  }

  /** The record of a study that has just one: of several, any may have ended first. */
  onlyRecord(study: string): RunRecord {
    const records = this.records(study);
    if (records.length !== 1) throw new Error(`${study} has ${records.length} records, not one`);
    return records[0]!;
  }

  /** One record of several, where it makes no difference which. */
  anyRecord(study: string): RunRecord {
    const [record] = this.records(study);
    if (!record) throw new Error(`${study} has no record`);
    return record;
  }

  /** Lines of a file that programs of this project append to. */
  lines(path: string): string[] {
    return this.exists(path) ? this.read(path).split("\n").filter(Boolean) : [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const launched of this.#started) if (!launched.isOver) launched.kill("SIGKILL");
    await Promise.all(this.#started.map(({ ended }) => ended.catch(() => {})));
    await killAll(() => processesIn(this.dir));
    removeTree(this.dir);
  }
}
