import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync } from "node:fs";
import { errorText } from "../core/errors.ts";
import type { LiveStat } from "../host/processes.ts";
import { EXECUTION_MARK } from "./environment.ts";
import { inheritedFiles } from "./inherited-files.ts";
import { openPipe } from "./open-pipes.ts";
import { PipeReader } from "./pipe-reader.ts";
import { endNamespace, ProcessTree } from "./process-tree.ts";
import { ProgramOutput } from "./program-output.ts";
import { type ProgramResult, SandboxError, type SandboxedProgram } from "./sandbox.ts";
import { isOverDisk, watchLimits } from "./watch-limits.ts";

/** What a program whose time is over has for leaving things in order. */
const GRACE_MS = 1000;

/** How a sandbox starts a program. */
export interface Launch {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** What counts against the disk limit. */
  folders: string[];
  /** Takes what the launcher itself tells, on descriptor 3: all of it before the program's end is known. */
  onStatus?(text: string): void;
  /** The first process of a namespace, with which all of it ends; undefined where it is not known. */
  firstProcess?(): LiveStat | undefined;
  /** Ends what is no process of ours, kindly at first where its time is over. */
  end?(isKind: boolean): void;
}

/** Starts a program, holds it to its limits and ends all that came out of it. */
export async function supervise(program: SandboxedProgram, launch: Launch): Promise<ProgramResult> {
  const output = new ProgramOutput(program);
  const startMs = performance.now();
  try {
    if (program.signal.aborted) return { exitCode: null, ended: "cancelled", wallMs: 0, omittedBytes: 0 };
    const { exitCode, ended } = await runToEnd(program, { launch, output });
    const wallMs = performance.now() - startMs;
    return { exitCode, wallMs, omittedBytes: output.close(), ...(ended && { ended }) };
  } finally {
    output.close();
  }
}

interface Setting {
  launch: Launch;
  output: ProgramOutput;
}

async function runToEnd(program: SandboxedProgram, { launch, output }: Setting) {
  const mark = randomUUID();
  const { child, status } = await start(launch, { mark, output });
  program.onStart?.();
  const tree = new ProcessTree(child.pid!, mark);
  let ended: ProgramResult["ended"];
  let isOver = false;
  const reap = () => {
    const first = launch.firstProcess?.();
    return first ? endNamespace(first) : tree.reap();
  };
  const kill = () => {
    launch.end?.(false);
    void reap();
  };
  const end = (why: NonNullable<ProgramResult["ended"]>) => {
    if (isOver || ended !== undefined) return;
    ended = why;
    if (why !== "timeout" || !tree.ask(launch.firstProcess?.())) return kill();
    launch.end?.(true);
    setTimeout(() => isOver || kill(), GRACE_MS);
  };
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  output.onBroken = kill;
  const unwatch = watchLimits(program, { tree, folders: launch.folders, end });
  const exitCode = await exit;
  isOver = true;
  // The end of a process is often known before what it said last has been read.
  status?.finish();
  unwatch();
  const left = await reap();
  if (left > 0) throw new SandboxError(`${left} processes of a program could not be ended`);
  if (ended === undefined && (await isOverDisk(launch.folders, program.diskMb))) ended = "disk";
  return { exitCode, ended };
}

/** In a group of its own, with its mark beside those of the sandboxes around it. */
async function start(
  launch: Launch,
  { mark, output }: { mark: string; output: ProgramOutput },
): Promise<{ child: ChildProcess; status: PipeReader | undefined }> {
  const { argv, cwd, env, onStatus } = launch;
  const marks = [env[EXECUTION_MARK], mark].filter(Boolean).join(" ");
  const stdout = await openPipe();
  const stderr = await openPipe();
  const told = onStatus ? await openPipe() : undefined;
  output.follow({ stdout: stdout.reader, stderr: stderr.reader });
  try {
    const child = spawn(argv[0]!, argv.slice(1), {
      cwd,
      env: { ...env, [EXECUTION_MARK]: marks },
      detached: true,
      stdio: ["ignore", stdout.writer, stderr.writer, ...inheritedFiles().with(0, told?.writer ?? "ignore")],
    });
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    return { child, status: told && new PipeReader(told.reader, (bytes) => onStatus?.(String(bytes))) };
  } catch (error) {
    if (told) closeSync(told.reader);
    throw new SandboxError(`${argv[0]} could not be started: ${errorText(error)}`);
  } finally {
    for (const pipe of [stdout, stderr, told]) if (pipe) closeSync(pipe.writer);
  }
}
