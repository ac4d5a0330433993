import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { RUN_FILES } from "../core/study-folder.ts";
import { printable } from "./terminal.ts";

const LOOK_MS = 200;
/** What one file may bring at one look: an agent that prints a gigabyte is not shown in full. */
const MOST_BYTES = 1 << 18;

interface Followed {
  name: string;
  /** The run's folder. */
  dir: string;
  files: Map<string, { at: number; rest: string; decoder: StringDecoder }>;
}

/** Tells what agents and tests print, line by line as it comes, from the files that it is written to. */
export class FollowedOutput {
  readonly #tell: (line: string) => void;
  readonly #runs = new Map<string, Followed>();
  readonly #timer: NodeJS.Timeout;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
    this.#timer = setInterval(() => {
      for (const run of this.#runs.values()) this.#look(run);
    }, LOOK_MS);
    this.#timer.unref();
  }

  follow(id: string, { name, dir }: { name: string; dir: string }): void {
    this.#runs.set(id, { name, dir, files: new Map() });
  }

  end(id: string): void {
    const run = this.#runs.get(id);
    this.#runs.delete(id);
    if (!run) return;
    this.#look(run);
    for (const { rest } of run.files.values()) if (rest !== "") this.#line(run, rest);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(run: Followed): void {
    for (const path of logsOf(run.dir)) {
      const file = run.files.get(path) ?? { at: 0, rest: "", decoder: new StringDecoder() };
      run.files.set(path, file);
      const bytes = readFrom(path, file.at);
      if (!bytes) continue;
      file.at = bytes.end;
      if (bytes.left > 0) this.#line(run, `... ${bytes.left} bytes passed over ...`);
      const lines = `${file.rest}${file.decoder.write(bytes.content)}`.split("\n");
      file.rest = lines.pop()!;
      for (const line of lines) this.#line(run, line);
    }
  }

  #line({ name }: Followed, text: string): void {
    this.#tell(`${name && `[${name}] `}${printable(text)}`);
  }
}

function logsOf(dir: string): string[] {
  const logs = join(dir, RUN_FILES.out, "logs");
  try {
    return readdirSync(logs, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(logs, name));
  } catch {
    return [];
  }
}

/** The newest part of a file from a place on, or undefined where nothing has come. */
function readFrom(path: string, at: number): { content: Buffer; end: number; left: number } | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      // Secrets are taken out at the end, which rewrites the file: what follows is no news.
      if (size <= at) return undefined;
      const start = Math.max(at, size - MOST_BYTES);
      const content = Buffer.alloc(size - start);
      const read = readSync(file, content, 0, content.length, start);
      return { content: content.subarray(0, read), end: start + read, left: start - at };
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
