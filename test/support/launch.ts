import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const assayPath = fileURLToPath(new URL("../../bin/assay.js", import.meta.url));

export interface Ended {
  /** The exit code, or null after a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A program in the background, with what it has printed so far. */
export class Launched {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = "";
  stderr = "";
  isOver = false;

  constructor(argv: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.child = spawn(argv[0]!, argv.slice(1), { ...options, stdio: ["ignore", "pipe", "pipe"] });
    this.child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = new Promise((resolve, reject) => {
      this.child.on("error", reject);
      this.child.on("close", (code) => {
        this.isOver = true;
        resolve({ code, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}
