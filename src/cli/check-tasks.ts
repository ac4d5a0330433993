import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorText } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import { runOutDir } from "../core/study-folder.ts";
import { type LaunchRun, launchRuns } from "../read/summarise-launch.ts";
import { readTask } from "../targets/coding/tasks/index.ts";
import { scanTree } from "../targets/coding/workspace/scan-tree.ts";

/** Grades of the same solution that have to agree. */
const REPEATS = 5;
/** A file of a task with less in it says too little to be known by. */
const LEAST_BYTES = 40;

/** Puts an early end before the first line of every source file that it finds: it solves nothing. */
const EXIT_ZERO = [
  'for file in $(find . -type f -not -path "*/.git/*" -not -path "*/node_modules/*"); do',
  '  case $file in *.js|*.mjs|*.cjs|*.ts) line="process.exit(0);" ;; *.py) line="import os; os._exit(0)" ;; *.sh) line="exit 0" ;; *) continue ;; esac',
  '  { echo "$line"; cat "$file"; } > "$file.new" && cat "$file.new" > "$file" && rm "$file.new"',
  "done; true",
].join("\n");

/** What is said first by an agent that sees this machine's files. */
const HIDES_NOTHING = "the sandbox hides nothing";

/**
 * Lists what an agent may read where tasks have their files, by content. Where it sees all of this machine that is no
 * fault of the task's: then only what it is given counts.
 */
const look = (file: string) => `places="/root /home /tmp /opt /srv /data /task /tests /solution /oracle /logs"
if [ -e ${shellWord(resolve(file))} ]; then places=; echo ${shellWord(HIDES_NOTHING)}; fi
find . $places -xdev -type f -size -1024k -not -path "*/.git/*" -not -path "/opt/assay/*" -exec sha256sum {} + 2>/dev/null; true`;

const shell = (name: string, script: string) =>
  `{ name = "${name}", command = ["sh", "-c", ${JSON.stringify(script)}] }`;

const AGENTS = {
  oracle: () => '"oracle"',
  nop: () => '"nop"',
  "exit-0": () => shell("exit-0", EXIT_ZERO),
  look: (file: string) => shell("look", look(file)),
};

export interface TaskCheck {
  task: string;
  /** How many of the oracle's rollouts solved it, of those that have a grade. */
  oracle: { solved: number; graded: number };
  /** Null where there is no grade. */
  nop: boolean | null;
  exitZero: boolean | null;
  /** Files of the tests or the solution that an agent can read, where they are. */
  leaks: string[];
  /** Whether the sandbox hides this machine's files; where it doesn't, leaks are looked for in the agent's folder alone. */
  isHidden: boolean | null;
  /** What is wrong; empty for a task that can be trusted. */
  problems: string[];
}

/** Writes the study that checks tasks: a rollouts file like any other. Folders that are no tasks are told apart. */
export function writeTaskCheck(
  dirs: readonly string[],
  { file, jobs, sandbox }: { file: string; jobs: number; sandbox?: string | undefined },
): { unreadable: TaskCheck[]; readable: string[] } {
  const unreadable: TaskCheck[] = [];
  const readable = dirs.filter((dir) => {
    try {
      readTask(resolve(dir), { applyOverrides: true, overrides: null });
      return true;
    } catch (error) {
      unreadable.push({ ...nothing(dir), problems: [`can't be read: ${errorText(error)}`] });
      return false;
    }
  });
  const entries = readable.flatMap((dir) =>
    Object.entries(AGENTS).map(([name, agent]) =>
      [
        "[[tasks]]",
        `prepared_dir = ${JSON.stringify(dir)}`,
        `agent = ${agent(file)}`,
        `rollouts = ${name === "oracle" ? REPEATS : 1}`,
      ].join("\n"),
    ),
  );
  const head = [
    `parallel = ${jobs}`,
    ...(sandbox === undefined ? [] : [`sandbox = ${JSON.stringify(sandbox)}`]),
  ];
  mkdirSync(dirname(file), { recursive: true });
  const text = `${[...head, ...entries].join("\n\n")}\n`;
  // The same tasks are the same study, which resumes.
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  return { unreadable, readable };
}

/** What a finished check says of each task. */
export async function readTaskCheck(studyDir: string, dirs: readonly string[]): Promise<TaskCheck[]> {
  const byTask = new Map<string, LaunchRun[]>(dirs.map((dir) => [dir, []]));
  for (const run of await launchRuns(studyDir)) byTask.get(run.task)?.push(run);
  return dirs.map((dir) => checkOf(dir, byTask.get(dir)!, studyDir));
}

function nothing(task: string): TaskCheck {
  return {
    task,
    oracle: { solved: 0, graded: 0 },
    nop: null,
    exitZero: null,
    leaks: [],
    isHidden: null,
    problems: [],
  };
}

function checkOf(dir: string, runs: readonly LaunchRun[], studyDir: string): TaskCheck {
  const of = (agent: keyof typeof AGENTS) => runs.filter((run) => run.agent === agent);
  const solvedBy = (agent: keyof typeof AGENTS) => {
    const [run] = of(agent);
    return run === undefined || run.solved === null ? null : run.solved === 1;
  };
  const graded = of("oracle").filter(({ solved }) => solved !== null);
  const solved = graded.filter((run) => run.solved === 1).length;
  const missing = runs.find((run) => run.solved === null);
  const isWhole = runs.length === REPEATS + Object.keys(AGENTS).length - 1;
  const [look] = of("look");
  const { leaks, isHidden } = look
    ? readLook(dir, `${runOutDir(studyDir, look.id)}/logs`)
    : { leaks: [], isHidden: null };
  const check = {
    task: dir,
    oracle: { solved, graded: graded.length },
    nop: solvedBy("nop"),
    exitZero: solvedBy("exit-0"),
    ...{ leaks, isHidden },
  };
  const { isImpossible = false } = readTask(resolve(dir), { applyOverrides: true, overrides: null });
  const problems = [
    ...(isWhole ? [] : ["the check is not finished"]),
    ...(missing ? [`${missing.agent} has no grade: ${missing.reason ?? "not run"}`] : []),
    ...(graded.length > 0 && solved === 0 && !isImpossible ? ["the oracle doesn't solve it"] : []),
    ...(solved > 0 && isImpossible ? ["it is said to be impossible, and the oracle solves it"] : []),
    ...(solved > 0 && solved < graded.length
      ? [`the tests disagree: ${solved} of ${graded.length} solved`]
      : []),
    ...(check.nop ? ["doing nothing solves it"] : []),
    ...(check.exitZero && !check.nop ? ["ending early (exit 0) solves it"] : []),
    ...leaks.map((leak) => `the agent can read ${leak}`),
  ];
  return { ...check, problems };
}

/** What the agent that looks around could see, by what it printed. */
export function readLook(dir: string, logs: string): Pick<TaskCheck, "leaks" | "isHidden"> {
  const seen = printedBy(logs);
  if (seen === undefined) return { leaks: [], isHidden: null };
  return { leaks: leaksOf(dir, seen), isHidden: !seen.startsWith(HIDES_NOTHING) };
}

/** In one go, or step by step where the task has several. */
function printedBy(logs: string): string | undefined {
  if (!existsSync(logs)) return undefined;
  const folders = readdirSync(logs, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = [logs, ...folders.map(({ name }) => join(logs, name))].map((dir) =>
    join(dir, "agent.stdout.txt"),
  );
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** Files of the tests and the solution whose content an agent saw elsewhere. */
function leaksOf(dir: string, listing: string): string[] {
  const seen = new Map<string, string>();
  for (const line of listing.split("\n")) {
    const [, hash, path] = /^([0-9a-f]{64}) [ *](.*)$/.exec(line) ?? [];
    if (hash !== undefined) seen.set(hash, path!);
  }
  const { steps = [] } = readTask(resolve(dir), { applyOverrides: true, overrides: null });
  const ofSteps = steps.flatMap(({ name }) => [`steps/${name}/tests`, `steps/${name}/solution`]);
  const parts = ["tests", "solution", "solution.sh", "solution.patch", "run-tests.sh", ...ofSteps];
  return parts.flatMap((part) =>
    filesBelow(join(resolve(dir), part)).flatMap(([name, bytes]) => {
      const found = seen.get(createHash("sha256").update(bytes).digest("hex"));
      return bytes.length < LEAST_BYTES || found === undefined ? [] : [`${part}${name} as ${found}`];
    }),
  );
}

function filesBelow(path: string): [name: string, bytes: Buffer][] {
  if (!existsSync(path)) return [];
  try {
    return scanTree(path)
      .entries.filter(({ kind }) => kind === "file")
      .map((entry) => [`/${entry.path}`, readFileSync(join(path, entry.path))]);
  } catch {
    return [["", readFileSync(path)]];
  }
}
