import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** A file system of a few megabytes in memory, or the reason why there can't be one. */
export class SmallDisk implements Disposable {
  readonly dir: string;
  readonly refusal: string | undefined;

  constructor(dir: string, size: string) {
    this.dir = dir;
    mkdirSync(dir, { recursive: true });
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", dir], { stdio: "pipe" });
    } catch (error) {
      this.refusal = `mounting is not allowed here: ${String((error as { stderr?: Buffer }).stderr).trim()}`;
    }
  }

  resize(size: string): void {
    execFileSync("mount", ["-o", `remount,size=${size}`, this.dir]);
  }

  [Symbol.dispose](): void {
    if (this.refusal === undefined) execFileSync("umount", ["-l", this.dir]);
  }
}
