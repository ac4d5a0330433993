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
  table: "aggregate/runs.csv",
  report: "report",
  ledger: "sweep.db",
  queue: "queue.json",
  late: "late.jsonl",
  looks: "looks.jsonl",
  plan: "locked.json",
  decisions: "decisions.jsonl",
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
