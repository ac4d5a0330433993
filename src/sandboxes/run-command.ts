import { spawn } from "node:child_process";
import { CappedOutput } from "./capped-output.ts";
import { type CommandLimits, type CommandResult, SandboxError } from "./sandbox.ts";

/** After the shell has ended, what it printed may still be in the pipe for this long. */
const DRAIN_MS = 200;

/** By these a runner finds what a killed one left running. */
const MARKS = ["ASSAY_STUDY_DIR", "ASSAY_RUN_ID", "ASSAY_RUNNER"];

/** Of our own environment a command gets only what it needs to run: no keys, no tokens. */
function commandEnvironment(cwd: string): Record<string, string> {
  const { PATH = "/usr/local/bin:/usr/bin:/bin", LANG = "C.UTF-8" } = process.env;
  const marks = MARKS.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    PATH,
    LANG,
    HOME: cwd,
    PWD: cwd,
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    ...Object.fromEntries(marks),
  };
}

/** A command line in a shell, in a process group of its own, all of which ends with it. */
export function runCommand(command: string, limits: CommandLimits & { cwd: string }): Promise<CommandResult> {
  const { cwd, timeoutMs, outputBytes, signal } = limits;
  return new Promise((resolve, reject) => {
    const output = new CappedOutput(outputBytes);
    let isTimeout = false;
    const child = spawn("/bin/sh", ["-c", command.replaceAll("\0", "")], {
      cwd,
      env: commandEnvironment(cwd),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const killGroup = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // Nothing is left of it.
      }
    };
    const timer = setTimeout(() => {
      isTimeout = true;
      killGroup();
    }, timeoutMs);
    signal.addEventListener("abort", killGroup, { once: true });
    if (signal.aborted) killGroup();
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => output.push(chunk));
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new SandboxError(`no command could be started: ${error.message}`));
    });
    child.on("exit", (code) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", killGroup);
      // What it left in the background would outlive the run, and keeps the pipes open.
      killGroup();
      const drain = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
      child.on("close", () => {
        clearTimeout(drain);
        resolve({ output: output.text(), exitCode: code, isTimeout, omittedBytes: output.omittedBytes });
      });
    });
  });
}
