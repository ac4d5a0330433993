import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { latestRecords } from "../archive/read-records.ts";
import { UserError } from "../core/errors.ts";
import { canonicalJson, shortHash } from "../core/hash.ts";
import {
  deviationsFrom,
  hashPlan,
  hashQuestion,
  type LockedPlan,
  lockedPlanOf,
  type PlanLock,
} from "../core/plan-lock.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { describeGit, readTags, tagCommit } from "../host/environment.ts";
import { makeFolders, readJsonIfAny, replaceFile } from "../host/files.ts";
import type { PreparedStudy } from "./prepare-study.ts";

/** Tags of locks begin so; the plan is their message. */
const TAGS = "assay/";

export interface LockResult {
  studyDir: string;
  lock: PlanLock;
  /** Whether this call locked it; else it was locked before, as it is. */
  isNew: boolean;
}

/**
 * Writes down what a study will answer and how, before its first run: into its folder, and as an annotated tag into the
 * git repository around the study file. A tag can be pushed, which lets somebody else's clock vouch for it, and it stays
 * where the folder is deleted.
 */
export function lockPlan(
  prepared: PreparedStudy,
  { withGit = true }: { withGit?: boolean } = {},
): LockResult {
  const { study, studyDir, spec } = prepared;
  refuseUnlockable(prepared);
  const plan = planOf(prepared);
  const hash = hashPlan(plan);
  const before = readLock(studyDir);
  if (before?.hash === hash) return { studyDir, lock: before, isNew: false };
  const done = existsSync(studyDir) ? latestRecords(studyDir).length : 0;
  if (done > 0)
    throw new UserError(`${study.name} can't be locked any more`, {
      expected: "a study without runs: a plan is locked before the first one",
      got: `${done} runs${before ? `, and a plan locked at ${before.at}` : ""}`,
      remedy: "`assay lock FILE --exp-name NEW` locks it as a new study; what was run stays exploratory.",
    });
  const baseDir = dirname(spec.path);
  const asks = hashQuestion(plan);
  const git = withGit ? describeGit(baseDir) : null;
  const earlier = earlierLocks(asks, { studyDir, baseDir, withGit });
  const lock: PlanLock = { format: 1, at: new Date().toISOString(), hash, plan, asks, git: null, earlier };
  if (git) {
    const name = study.name.replaceAll(/[^\w.-]+/g, "-").replaceAll(/\.{2,}|\.$|^\./g, "-");
    const tag = `${TAGS}${name}-${hash.slice(0, 12)}`;
    const message = `Locked plan of ${study.name}\n\n${canonicalJson({ at: lock.at, hash, asks, plan })}`;
    if (tagCommit(baseDir, tag, message))
      lock.git = {
        commit: String(git.commit),
        changes: git.diff === "" ? null : shortHash(String(git.diff)),
        tag,
      };
  }
  makeFolders(studyDir);
  replaceFile(`${studyDir}/${STUDY_FILES.plan}`, `${JSON.stringify(lock, null, 2)}\n`);
  return { studyDir, lock, isNew: true };
}

/** The lock that a launch is under, and in what it deviates; nothing where no plan was locked. */
export function lockOfLaunch(prepared: PreparedStudy): { lock?: string; deviations?: string[] } {
  const lock = readLock(prepared.studyDir);
  if (!lock) return {};
  const deviations = deviationsFrom(lock.plan, planOf(prepared));
  return { lock: lock.hash, ...(deviations.length > 0 && { deviations }) };
}

function readLock(studyDir: string): PlanLock | undefined {
  return readJsonIfAny<PlanLock>(`${studyDir}/${STUDY_FILES.plan}`);
}

function planOf({ study, program, target, plan }: PreparedStudy): LockedPlan {
  const { items: _, ...told } = study;
  const metric = study.analysis.metric;
  const failure = metric === undefined ? undefined : target?.metrics?.[metric]?.failure;
  return lockedPlanOf(told, { program, failure, runs: plan.count() });
}

function refuseUnlockable({ study }: PreparedStudy): void {
  if (study.search)
    throw new UserError(`${study.name} is a search`, {
      expected: "a study whose arms are known",
      remedy: "Lock the study that confirms what the search finds: `assay confirm` writes it.",
    });
  if (study.isStamped)
    throw new UserError(`${study.name} keeps its launches apart`, {
      expected: "a study with one folder",
      remedy: "Write it as a study file of its own (`assay init`).",
    });
  if (study.analysis.metric === undefined)
    throw new UserError("a locked plan needs a metric", { remedy: "Write analysis: {metric: score}." });
  if (study.axes.length === 0 && study.variants.length < 2)
    throw new UserError("a locked plan needs two arms or more", {
      remedy: "Give a parameter several values under matrix, or name variants.",
    });
}

/** Locks of the same question beside this study and in git, but for those that never had a run. */
function earlierLocks(
  asks: string,
  { studyDir, baseDir, withGit }: { studyDir: string; baseDir: string; withGit: boolean },
): PlanLock["earlier"] {
  const outRoot = dirname(resolve(studyDir));
  const found = new Map<string, PlanLock["earlier"][number]>();
  const unused = new Set<string>();
  for (const name of existsSync(outRoot) ? readdirSync(outRoot) : []) {
    const dir = join(outRoot, name);
    const lock = readLock(dir);
    if (lock?.asks !== asks) continue;
    if (latestRecords(dir).length === 0) unused.add(lock.hash);
    else found.set(lock.hash, { at: lock.at, hash: lock.hash, where: name });
  }
  for (const { name, message } of withGit ? readTags(baseDir, TAGS) : []) {
    const json = message.slice(message.indexOf("{"));
    try {
      const { at, hash, asks: asked } = JSON.parse(json) as PlanLock;
      if (asked === asks && !unused.has(hash) && !found.has(hash))
        found.set(hash, { at, hash, where: `git tag ${name}` });
    } catch {
      // A tag of somebody else's.
    }
  }
  return [...found.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}
