import { closeSync, openSync, writeSync } from "node:fs";
import { errorText } from "../core/errors.ts";
import { PipeReader } from "./pipe-reader.ts";
import { SandboxError, type SandboxedProgram } from "./sandbox.ts";

/** The files that a program's standard output and standard error go to. */
export class ProgramOutput {
  readonly #stdout: CappedFile;
  readonly #stderr: CappedFile;
  #readers: PipeReader[] = [];
  #broken: unknown;
  /** Told where the disk refuses what comes. */
  onBroken = () => {};

  constructor({ stdoutPath, stderrPath, outputBytes }: SandboxedProgram) {
    try {
      this.#stdout = new CappedFile(stdoutPath, outputBytes);
      this.#stderr = new CappedFile(stderrPath, outputBytes);
    } catch (error) {
      throw refusal(error);
    }
  }

  /** Takes all that comes out of two pipes. */
  follow(pipes: Record<"stdout" | "stderr", number>): void {
    const follow = (fd: number, file: CappedFile) =>
      new PipeReader(fd, (chunk) => {
        if (this.#broken !== undefined) return;
        try {
          file.push(chunk);
        } catch (error) {
          this.#broken = error;
          this.onBroken();
        }
      });
    this.#readers = [follow(pipes.stdout, this.#stdout), follow(pipes.stderr, this.#stderr)];
  }

  /** When no more will come. Gives how many bytes were not kept. */
  close(): number {
    for (const reader of this.#readers.splice(0)) reader.finish();
    for (const file of [this.#stdout, this.#stderr]) {
      try {
        file.close();
      } catch (error) {
        this.#broken ??= error;
      }
    }
    if (this.#broken !== undefined) throw refusal(this.#broken);
    return this.#stdout.omittedBytes + this.#stderr.omittedBytes;
  }
}

function refusal(error: unknown): SandboxError {
  return new SandboxError(`what a program prints could not be kept: ${errorText(error)}`);
}

/** Most that is kept in memory of a stream's end. */
const MOST_TAIL_BYTES = 1 << 20;

/**
 * A file that takes a stream of any length and stays small: its beginning is written as it comes, its end when it is
 * closed, and what lies between is counted and thrown away.
 */
export class CappedFile {
  readonly #file: number;
  readonly #tail: ByteTail;
  #headRoom: number;
  #isClosed = false;

  constructor(path: string, mostBytes: number) {
    this.#file = openSync(path, "w");
    this.#tail = new ByteTail(Math.min(MOST_TAIL_BYTES, Math.floor(mostBytes / 2)));
    this.#headRoom = mostBytes - this.#tail.most;
  }

  get omittedBytes(): number {
    return this.#tail.lostBytes;
  }

  /** The bytes may be used again afterwards. */
  push(chunk: Buffer): void {
    const head = chunk.subarray(0, this.#headRoom);
    if (head.length > 0) writeFully(this.#file, head);
    this.#headRoom -= head.length;
    this.#tail.push(chunk.subarray(head.length));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      if (this.omittedBytes > 0)
        writeFully(this.#file, Buffer.from(`\n(${this.omittedBytes} bytes omitted)\n`));
      for (const part of this.#tail.parts()) writeFully(this.#file, part);
    } finally {
      closeSync(this.#file);
    }
  }
}

function writeFully(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** The last bytes of a stream, in a ring: however long the stream is, no memory but the ring's is ever taken. */
export class ByteTail {
  readonly most: number;
  #ring = Buffer.alloc(0);
  #taken = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** How many bytes came and are no longer held. */
  get lostBytes(): number {
    return Math.max(0, this.#taken - this.most);
  }

  /** The bytes may be used again afterwards. */
  push(bytes: Buffer): void {
    if (bytes.length > 0 && this.#ring.length < this.most) this.#ring = Buffer.allocUnsafeSlow(this.most);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.most));
    const start = this.#place(this.#taken + bytes.length - kept.length);
    const copied = kept.copy(this.#ring, start);
    kept.copy(this.#ring, 0, copied);
    this.#taken += bytes.length;
  }

  /** What is held, in its order. */
  parts(): Buffer[] {
    if (this.#taken <= this.most) return [this.#ring.subarray(0, this.#taken)];
    const start = this.#place(this.#taken);
    return [this.#ring.subarray(start), this.#ring.subarray(0, start)];
  }

  #place(at: number): number {
    return this.most === 0 ? 0 : at % this.most;
  }
}
