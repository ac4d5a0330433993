import { execFile } from "node:child_process";
import { UserError } from "../../core/errors.ts";
import { explainRefusal, isFull, isPassing } from "./explain-refusal.ts";

const MOST_BYTES = 1 << 28;
const PATIENCE_MS = 60_000;

/** What Slurm says of one array task. */
export interface TaskStatus {
  jobId: string;
  index: number;
  state: string;
  reason: string;
  node: string;
}

interface Answer {
  code: number;
  stdout: string;
  stderr: string;
}

/** sbatch could not reach the controller, or it wants us to come back later. */
export class SlurmBusy extends Error {
  override name = "SlurmBusy";
}

/** So many tasks at once are more than the user may have in the queue. */
export class SlurmFull extends Error {
  override name = "SlurmFull";
}

/** Submits a job array and gives its id. */
export async function submit(words: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { code, stdout, stderr } = await call("sbatch", words, env);
  if (code === 0) return stdout.trim().split(";")[0]!;
  if (isPassing(stderr)) throw new SlurmBusy(lastWords(stderr));
  if (isFull(stderr)) throw new SlurmFull(lastWords(stderr));
  throw explainRefusal(lastWords(stderr));
}

/** The tasks of these jobs that Slurm still knows, ended ones included; undefined when it does not answer. */
export async function askStates(jobIds: string[]): Promise<TaskStatus[] | undefined> {
  const format = "%F|%K|%T|%N|%r";
  const words = ["--noheader", "--array", "--states=all", `--jobs=${jobIds.join(",")}`, `--format=${format}`];
  const { code, stdout, stderr } = await call("squeue", words);
  // It says so of a job that it has forgotten, also when it is the only one.
  if (code !== 0 && !/Invalid job id/i.test(stderr)) return undefined;
  return stdout.split("\n").flatMap((line) => {
    const [jobId, index, state, node, ...reason] = line.split("|");
    if (reason.length === 0) return [];
    return [{ jobId: jobId!, index: Number(index), state: state!, node: node!, reason: reason.join("|") }];
  });
}

/** The id of a job by its name; undefined where Slurm knows none. */
export async function findJob(name: string): Promise<string | undefined> {
  const words = ["--noheader", "--states=all", `--name=${name}`, "--format=%F"];
  const { code, stdout, stderr } = await call("squeue", words);
  if (code !== 0) throw noAnswer(stderr);
  return stdout.trim().split("\n")[0] || undefined;
}

/** Further facts of a task that ended badly, such as `ExitCode` and `Reason`. */
export async function describeTask(jobId: string, index: number): Promise<Record<string, string>> {
  const { stdout } = await call("scontrol", ["show", "job", `${jobId}_${index}`]);
  return Object.fromEntries(stdout.split(/\s+/).flatMap((fact) => pair(fact)));
}

/** Ends jobs; with `isPendingOnly` only the tasks that have not started. */
export async function cancelJobs(jobIds: string[], { isPendingOnly = false } = {}): Promise<void> {
  if (jobIds.length === 0) return;
  await call("scancel", ["--quiet", ...(isPendingOnly ? ["--state=PENDING"] : []), ...jobIds]);
}

/** Lets so many tasks of an array run at once from now on. Where that is refused, the array stays as it was. */
export async function setThrottle(jobId: string, tasks: number): Promise<void> {
  await call("scontrol", ["update", `JobId=${jobId}`, `ArrayTaskThrottle=${tasks}`]);
}

/** How many tasks one array may have. */
export async function mostTasks(): Promise<number> {
  const { code, stdout, stderr } = await call("scontrol", ["show", "config"]);
  if (code !== 0) throw noAnswer(stderr);
  const size = Number(/^MaxArraySize\s*=\s*(\d+)/m.exec(stdout)?.[1] ?? 1001);
  return Math.max(1, size - 1);
}

function noAnswer(stderr: string): UserError {
  return new UserError(`Slurm does not answer: ${lastWords(stderr)}`, {
    remedy: "Start the study where `sinfo` works, such as on a login node of the cluster.",
  });
}

function pair(fact: string): [string, string][] {
  const at = fact.indexOf("=");
  return at < 0 ? [] : [[fact.slice(0, at), fact.slice(at + 1)]];
}

function call(program: string, words: string[], env: NodeJS.ProcessEnv = process.env): Promise<Answer> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      words,
      { env, maxBuffer: MOST_BYTES, timeout: PATIENCE_MS },
      (error, stdout, stderr) => {
        if (error?.code === "ENOENT") {
          reject(
            new UserError(`the executor slurm needs ${program}, which is not installed here`, {
              remedy: "Start the study on a login node of the cluster; `assay doctor` tells what is there.",
            }),
          );
        } else if (error?.killed) {
          resolve({ code: 1, stdout, stderr: `${program} timed out: no answer in ${PATIENCE_MS / 1000} s` });
        } else resolve({ code: error ? Number(error.code) || 1 : 0, stdout, stderr });
      },
    );
  });
}

/** Slurm's own words, without the name of the program in front of each line. */
function lastWords(stderr: string): string {
  const lines = stderr
    .split("\n")
    .map((line) => line.replace(/^\w+: (error: |fatal: )?/, "").trim())
    .filter(Boolean);
  return [...new Set(lines)].join("; ") || "it said nothing";
}
