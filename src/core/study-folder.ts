/** The names of what a study's folder holds; docs/architecture.md says what stands in each. */
export const STUDY_FILES = {
  study: "study.json",
  journal: "journal.jsonl",
  live: "live.json",
  lock: "lock.json",
  control: "control",
  runs: "runs",
  states: "state",
  scores: "scores",
  services: "services",
  table: "aggregate/runs.csv",
  report: "report",
  ledger: "sweep.db",
  queue: "queue.json",
  late: "late.jsonl",
  looks: "looks.jsonl",
  plan: "locked.json",
  decisions: "decisions.jsonl",
  notes: "notes.jsonl",
  modelCalls: "model-calls.jsonl",
  slurm: "slurm",
  transcripts: "transcripts.db",
  manifest: "manifest.json",
  runList: "runs.txt",
  taskResults: "task_results",
} as const;

/** Beside the folder: what a study in the background (--detach) prints. */
export function detachedLog(name: string): string {
  return `${name}.log`;
}

/** Beside `data/rollouts`: an index of one launch, for scripts that look launches up by name. */
export function launchIndex(name: string, stamp: string): string {
  return `temp/rollout_${name}__${stamp}.json`;
}

/** The names of what one run's folder holds. */
export const RUN_FILES = {
  meta: "meta.json",
  stdout: "stdout.txt",
  stderr: "stderr.txt",
  series: "series.jsonl",
  task: "item.json",
  result: "result.json",
  resultPage: "result.md",
  out: "out",
  earlier: "earlier",
  job: "job.json",
  attempt: "attempt.json",
  judgement: "judgement.json",
} as const;

/** Among a run's own files: what it has cost so far. */
export const SPENT_FILE = "spent.json";
/** Among a run's own files: its model traffic, where it was recorded. */
export const CASSETTE_FILE = "cassette.jsonl";

export function runDir(studyDir: string, runId: string): string {
  return `${studyDir}/${STUDY_FILES.runs}/${runId}`;
}

/** Where a scorer keeps what it printed and left, run by run. */
export function scorerDir(studyDir: string, scorer: string): string {
  return `${studyDir}/${STUDY_FILES.scores}/${scorer}`;
}

/** What a run keeps from one try to the next; gone once it has a result. */
export function runStateDir(studyDir: string, runId: string): string {
  return `${studyDir}/${STUDY_FILES.states}/${runId}`;
}

/** Where the run's own files are. */
export function runOutDir(studyDir: string, runId: string): string {
  return `${runDir(studyDir, runId)}/${RUN_FILES.out}`;
}

const PATTERN = /^\d{8}__\d{2}-\d{2}-\d{2}$/;

/** Whether a folder's name is the time of a launch, such as `20250824__12-34-56`. */
export function isStamp(name: string): boolean {
  return PATTERN.test(name);
}

/** The time of a launch as a folder's name, from an ISO time in UTC; these names sort by time. */
export function stampOf(isoTime: string): string {
  const [date, time] = isoTime.split("T") as [string, string];
  return `${date.replaceAll("-", "")}__${time.slice(0, 8).replaceAll(":", "-")}`;
}

/** What a study's folder is called: its name, or `NAME/STAMP` for one of several launches. */
export function titleOf(studyDir: string): string {
  const [name = "", stamp = ""] = studyDir.split("/").slice(-2);
  return isStamp(stamp) ? `${name}/${stamp}` : stamp;
}

/** A study's name as people see it: with its launch where there are several. */
export function shownName(studyDir: string, name: string | undefined): string {
  const title = titleOf(studyDir);
  return title.includes("/") ? title : (name ?? title);
}
