import { mkdirSync, readFileSync } from "node:fs";
import { programSandboxes } from "../../src/sandboxes/index.ts";
import type { ProgramResult, ProgramSandbox, SandboxedProgram } from "../../src/sandboxes/sandbox.ts";
import { TempFolder } from "./temp-folder.ts";

/** Longer than any program of a test takes on any machine, and shorter than the test may. */
const BROKEN_MS = 200_000;
const LONGEST_LIMIT_MS = 20_000;

interface Printed extends ProgramResult {
  stdout: string;
  stderr: string;
}

/** A folder that a program may write to and one beside it for what it prints: `using box = new SandboxedFolder(sandbox)`. */
export class SandboxedFolder implements Disposable {
  readonly #sandbox: ProgramSandbox;
  readonly #folder = new TempFolder();
  /** What the program may write to. */
  readonly path = `${this.#folder.path}/work`;
  /** What lies beside it, and is none of its business. */
  readonly outside = `${this.#folder.path}/outside`;

  constructor(sandbox: ProgramSandbox) {
    this.#sandbox = sandbox;
    mkdirSync(this.path);
    mkdirSync(this.outside);
  }

  /**
   * Runs a shell script past its time limit. A slow machine may not even have begun with it by then: the limit doubles
   * until `hasWorked` finds what the script does before.
   */
  async runLate(
    script: string,
    hasWorked: (result: Printed) => boolean,
    options: Partial<SandboxedProgram> = {},
  ): Promise<Printed> {
    for (let timeoutMs = 300; ; timeoutMs *= 2) {
      const result = await this.run(script, { ...options, timeoutMs });
      if (hasWorked(result) || timeoutMs > LONGEST_LIMIT_MS) return result;
    }
  }

  /** Runs a shell script. */
  run(script: string, options: Partial<SandboxedProgram> = {}): Promise<Printed> {
    return this.execute({ argv: ["/bin/sh", "-c", script], ...options });
  }

  async execute(options: Partial<SandboxedProgram> & { argv: string[] }): Promise<Printed> {
    const [stdoutPath, stderrPath] = ["stdout", "stderr"].map(
      (name) => `${this.#folder.path}/${name}.txt`,
    ) as [string, string];
    const result = await this.#sandbox.execute({
      cwd: this.path,
      env: {},
      writable: [{ path: this.path }],
      readable: [],
      network: false,
      timeoutMs: BROKEN_MS,
      memoryMb: 0,
      diskMb: 0,
      stdoutPath,
      stderrPath,
      outputBytes: 100_000,
      signal: new AbortController().signal,
      ...options,
    });
    const [stdout, stderr] = [stdoutPath, stderrPath].map((path) => readFileSync(path, "utf8")) as [
      string,
      string,
    ];
    return { ...result, stdout, stderr };
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** The sandboxes that work on this machine; why another one does not is printed. */
export async function usable<T extends { name: string; problem?(): Promise<string | undefined> }>(
  all: readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  for (const sandbox of all) {
    const problem = await sandbox.problem?.();
    if (problem === undefined) found.push(sandbox);
    else console.warn(`the sandbox ${sandbox.name} is not tested here: ${problem}`);
  }
  return found;
}

/** What a title says where a sandbox can't be used here; nothing where it can. */
export async function skipNote(sandbox: ProgramSandbox): Promise<string> {
  const problem = await sandbox.problem?.();
  return problem === undefined ? "" : ` (skipped: ${problem})`;
}

/** Sandboxes by name, each with a title that says why it is skipped, if it is. */
export function titled(
  names: readonly string[],
): Promise<{ sandbox: string; title: string; isUsable: boolean }[]> {
  return Promise.all(
    names.map(async (sandbox) => {
      const note = await skipNote(programSandboxes[sandbox]!);
      return { sandbox, title: `${sandbox}${note}`, isUsable: note === "" };
    }),
  );
}
