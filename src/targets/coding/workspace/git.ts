import { spawn } from "node:child_process";
import { errorCode, UserError } from "../../../core/errors.ts";

export interface GitCall {
  cwd: string;
  env?: Record<string, string>;
  input?: string | Uint8Array;
  /** The user's own settings hold: only for what talks to a server, which may need a proxy or a password. */
  withUserConfig?: boolean;
}

export interface GitResult {
  code: number | null;
  stdout: Buffer;
  /** What git complained about, without its prefixes. */
  complaint: string;
}

const MOST_MS = 15 * 60_000;
const MOST_COMPLAINT = 600;

/**
 * Runs git with nothing of ours or the user's: no settings, no hooks, no prompts, and it never updates an index on its
 * own. A failure is a result.
 */
export function runGit(
  args: string[],
  { cwd, env, input, withUserConfig = false }: GitCall,
): Promise<GitResult> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const settings = withUserConfig ? {} : { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const fixed = { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_ATTR_NOSYSTEM: "1", LC_ALL: "C" };
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, {
      cwd,
      env: { ...Object.fromEntries(inherited), ...fixed, ...settings, ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      timeout: MOST_MS,
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout!.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr!.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("error", (error) => reject(errorCode(error) === "ENOENT" ? notInstalled() : error));
    child.on("close", (code) =>
      resolve({
        code,
        stdout: Buffer.concat(output),
        complaint: shortComplaint(Buffer.concat(errors).toString("utf8")),
      }),
    );
    // It may end before it has read all: what it says then is the answer, not the broken pipe.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** What git printed; throws where it failed. */
export async function git(args: string[], call: GitCall): Promise<Buffer> {
  const { code, stdout, complaint } = await runGit(args, call);
  if (code === 0) return stdout;
  throw new Error(
    `git ${args.find((word) => !word.startsWith("-")) ?? ""} failed: ${complaint || `exit code ${code}`}`,
  );
}

function notInstalled(): UserError {
  return new UserError("git is not installed", { remedy: "Rollouts need it: install the package git." });
}

function shortComplaint(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^(error|fatal): /, "").trim());
  const whole = lines.filter((line) => line !== "" && !line.startsWith("hint:")).join("; ");
  return whole.length > MOST_COMPLAINT ? `${whole.slice(0, MOST_COMPLAINT)} ...` : whole;
}
