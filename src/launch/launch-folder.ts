import { existsSync, renameSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { readStudyFile } from "../archive/read-records.ts";
import { errorText, explainFileError, isFileError, isRefusal, MachineError } from "../core/errors.ts";
import type { ResultFacts, Setting } from "../core/executor.ts";
import { canonicalJson, hashText, shortHash } from "../core/hash.ts";
import type { MetricInfos } from "../core/run.ts";
import type { Study } from "../core/study.ts";
import { type Launch, machineOf, STUDY_FILES, type StudyFile } from "../core/study-folder.ts";
import type { Warning } from "../core/warning.ts";
import { describeGit, describeMachine, describePackages } from "../host/environment.ts";
import { makeFolders, replaceFile } from "../host/files.ts";
import { Lock } from "../host/lock.ts";
import { lockOfLaunch } from "./lock-plan.ts";
import type { PreparedStudy } from "./prepare-study.ts";

/** A study with more seeds than this has a study.json for programs only: one line per seed helps nobody. */
const MOST_LINES = 1000;

/**
 * Writes study.json, with this launch added to those before. One that finds everything done (`isIdle`) leaves on record
 * which code gave the results.
 */
export function writeStudyFile(
  prepared: PreparedStudy,
  total: number,
  { isIdle = false, done }: { isIdle?: boolean; done?: number } = {},
): StudyFile {
  const { study, studyDir, redactor } = prepared;
  const before = readStudyFile(studyDir);
  const described = describeLaunch(prepared, { total, before });
  const launch = described.launches.at(-1)!;
  if (launch.lock !== undefined && done !== undefined) launch.done = done;
  if (isIdle && before?.git) {
    launch.isIdle = true;
    described.git = before.git;
  }
  const indent = study.seeds.length > MOST_LINES ? 0 : 2;
  replaceFile(`${studyDir}/${STUDY_FILES.study}`, `${redactor.toJson(described, indent)}\n`);
  return described;
}

/** What the executor needs to know of a study. */
export function settingOf(prepared: PreparedStudy, described: StudyFile): Setting {
  const { study, studyDir, spec, trace, traffic } = prepared;
  return {
    target: study.target,
    studyDir,
    baseDir: dirname(spec.path),
    artifacts: study.artifacts,
    limits: study.limits,
    iterations: {
      ...study.iterations,
      warmup: study.repeats.warmup + study.iterations.warmup,
    },
    instruments: study.instruments,
    plugins: study.plugins ?? [],
    ...(study.resultFiles && { result: resultFacts(described) }),
    env: study.env,
    ...(trace !== undefined && { trace }),
    ...(traffic && { traffic }),
    jobs: jobsOf(study.executor),
    ...(study.executor.slots && { slots: study.executor.slots }),
    ...(study.services && { services: study.services }),
    ...(study.models && { models: study.models }),
    ...(study.executor.queue && { queue: study.executor.queue }),
    ...(study.executor.slurm && { slurm: study.executor.slurm }),
  };
}

/** No more at once than there are slots. */
function jobsOf({ jobs, slots }: Study["executor"]): number {
  const most = jobs || slots?.length || availableParallelism();
  return slots ? Math.min(most, slots.length) : most;
}

export function makeFolder(studyDir: string): void {
  try {
    makeFolders(studyDir);
  } catch (error) {
    if (!isFileError(error) || isRefusal(error)) throw explainFileError(error);
    throw new MachineError(
      `the folder ${studyDir} can't be created (${errorText(error)}). Choose another place with --out-root.`,
    );
  }
}

/** A study that is running can't be moved: the lock is asked first. */
export async function moveAside(studyDir: string): Promise<Warning> {
  const lock = await Lock.take(studyDir);
  lock.release();
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const base = `${studyDir}@${stamp}`;
  let aside = base;
  for (let i = 2; existsSync(aside); i++) aside = `${base}-${i}`;
  renameSync(studyDir, aside);
  return { kind: "moved-aside", level: "info", text: `the results so far are in ${aside}` };
}

/** Says that the code is no longer what gave the results that a study has; undefined where it is, or nobody knows. */
export function codeChange({ name, launches }: StudyFile): Warning | undefined {
  const now = launches.at(-1)?.git;
  const then = launches.slice(0, -1).findLast(({ isIdle }) => !isIdle)?.git;
  if (!now || !then || (now.commit === then.commit && now.changes === then.changes)) return undefined;
  const short = (commit: string) => `commit ${commit.slice(0, 7)}`;
  const what = now.commit === then.commit ? "uncommitted changes" : `now ${short(now.commit)}`;
  const text = `the code has changed since these results (${short(then.commit)}): ${what}; see \`assay status ${name} --changes\``;
  return { kind: "code-changed", level: "info", text };
}

/** Says in what a launch deviates from the plan that was locked; undefined where it doesn't. */
export function planChange({ launches }: StudyFile): Warning | undefined {
  const { deviations = [] } = launches.at(-1) ?? {};
  if (deviations.length === 0) return undefined;
  const text = `this deviates from the locked plan, so its answers are exploratory: ${deviations.join("; ")}`;
  return { kind: "deviation", level: "warn", text };
}

function describeLaunch(
  prepared: PreparedStudy,
  { total, before }: { total: number; before: StudyFile | undefined },
): StudyFile {
  const { spec, program, target, params = {} } = prepared;
  // Items stay in their file; their versions tell whether it has changed.
  const { items: _, ...study } = prepared.study;
  const git = describeGit(dirname(spec.path));
  const environment = describeMachine();
  const launch: Launch = {
    at: new Date().toISOString(),
    command: ["assay", ...process.argv.slice(2)].join(" "),
    specHash: spec.hash,
    program,
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(prepared.programFiles).length > 0 && { files: prepared.programFiles }),
    plan: planHash(study, program),
    analysis: study.analysis,
    git: git && {
      commit: String(git.commit),
      committedAt: String(git.committedAt),
      changes: git.diff === "" ? null : shortHash(String(git.diff)),
    },
    machine: machineOf({ ...environment, python: target?.python }),
    ...lockOfLaunch(prepared),
  };
  return {
    format: 1,
    name: study.name,
    program,
    study,
    ...(target?.metrics && { metrics: withoutDescriptions(target.metrics) }),
    total,
    spec,
    environment,
    packages: describePackages(dirname(spec.path)),
    git,
    launches: [...(before?.launches ?? []), launch],
  };
}

/** `assay list TARGET` has the descriptions. */
function withoutDescriptions(metrics: MetricInfos): MetricInfos {
  return Object.fromEntries(
    Object.entries(metrics).map(([name, { description: _, ...info }]) => [name, info]),
  );
}

/** Two launches that share it have the same runs. */
function planHash(study: Study, program: string): string {
  const { params, axes, variants, where, seeds, tasks, taskVersions, valueVersions, repeats, watchVersions } =
    study;
  const files = { ...(valueVersions && { valueVersions }), ...(watchVersions && { watchVersions }) };
  const versions = { taskVersions, ...files };
  return shortHash(
    canonicalJson({ program, params, axes, variants, where, seeds, tasks, ...versions, repeats }),
  );
}

/** What study.json says, as far as the result of a single run needs it. */
function resultFacts({ name, program, study, spec, environment, packages, git }: StudyFile): ResultFacts {
  const { target } = study;
  return {
    name,
    target:
      target.kind === "shipped" ? target.name : target.kind === "file" ? target.path : target.argv.join(" "),
    program,
    tags: study.tags ?? [],
    notes: study.notes ?? null,
    spec: { path: spec.path, hash: spec.hash },
    environment: {
      os: environment.os,
      runtime: `Node.js ${environment.node} (V8 ${environment.v8})`,
      machine: environment.platform,
      processor: environment.cpu,
      cores: environment.cores,
      memory_bytes: environment.memoryBytes,
      hostname: environment.hostname,
    },
    packages,
    vcs: git && {
      commit: String(git.commit),
      committedAt: String(git.committedAt),
      branch: String(git.branch),
      dirty: Boolean(git.dirty),
      diffHash: git.dirty ? hashText(String(git.diff)) : null,
    },
  };
}

/** Says which files of a study's program changed since it was launched as another program. */
export function changedSince({
  studyDir,
  programFiles,
}: Pick<PreparedStudy, "studyDir" | "programFiles">): (program: string) => string[] {
  const known = new Map<string, string[]>();
  return (program) => {
    let changed = known.get(program);
    if (!changed) {
      const before = readStudyFile(studyDir)?.launches.findLast(
        (launch) => launch.program === program,
      )?.files;
      const names = new Set([...Object.keys(before ?? {}), ...Object.keys(programFiles)]);
      changed = before ? [...names].filter((name) => before[name] !== programFiles[name]) : [];
      known.set(program, changed);
    }
    return changed;
  };
}
