import { existsSync } from "node:fs";
import type { SandboxedProgram } from "./sandbox.ts";

const MB = 1 << 20;
const PRLIMIT = "/usr/bin/prlimit";

/**
 * The program's words behind a program that sets limits of the kernel: no core files, and a stop for what would
 * outrun the looking from time to time (one huge file, one huge allocation). What can't be started ends with 126 or
 * 127, as in a shell. `mostTasks` are processes and threads; the kernel counts all of a user's, those of a namespace
 * apart, and never holds root to it.
 */
export function limitedArgv({ argv, memoryMb, diskMb }: SandboxedProgram, mostTasks = 0): string[] {
  if (!existsSync(PRLIMIT)) return ["/bin/sh", "-c", 'exec "$@"', "sh", ...argv];
  return [
    PRLIMIT,
    "--core=0",
    // Of memory that is reserved and never touched a program may have more.
    ...(memoryMb > 0 ? [`--data=${Math.ceil((2 * memoryMb + 512) * MB)}`] : []),
    // Above the limit, so that the last look at the disk tells.
    ...(diskMb > 0 ? [`--fsize=${Math.ceil((diskMb + 16) * MB)}`] : []),
    ...(mostTasks > 0 ? [`--nproc=${mostTasks}`] : []),
    "--",
    ...argv,
  ];
}
