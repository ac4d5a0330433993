import { errorText } from "../core/errors.ts";
import { CappedFile } from "./capped-file.ts";
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
