import { dirname } from "node:path";
import { currentRecords, readStudyFile } from "../archive/read-records.ts";
import { asMachineError, errorText, MachineError, UserError } from "../core/errors.ts";
import type { RunRecord } from "../core/run.ts";
import type { Sink } from "../core/sink.ts";
import { STUDY_FILES, type StudyFile } from "../core/study-folder.ts";
import { Journal } from "../engine/journal.ts";
import { History } from "../engine/pending.ts";
import { redactorFor } from "../host/environment.ts";
import { Lock } from "../host/lock.ts";
import { launchFiles } from "../launch/kept-apart.ts";
import { Plan } from "../plan/plan.ts";
import { loadTarget } from "../targets/load-target.ts";
import type { Regrading } from "../targets/target.ts";

export interface EvaluateOptions {
  /** Patches graded at the same time; as the study says unless told. */
  jobs?: number;
  signal?: AbortSignal;
  onGraded?(done: number, total: number): void;
}

export interface Evaluation {
  graded: number;
  /** Rollouts whose grade is another one now, before and after. */
  changed: { before: RunRecord; after: RunRecord }[];
  /** Rollouts without a patch that could be graded. */
  passedOver: number;
  /** Rollouts whose patch could not be graded now; they stay as they are. */
  broken: { id: string; reason: string }[];
}

/** Grades every recorded patch of a launch again. What changed is appended to the journal as a further attempt. */
export async function evaluateLaunch(studyDir: string, options: EvaluateOptions = {}): Promise<Evaluation> {
  const file = readStudyFile(studyDir);
  const ref = file?.study.target;
  const target = ref && ref.kind !== "command" ? await loadTarget(ref) : undefined;
  if (!file || !target?.regrading)
    throw new UserError(`${studyDir} holds nothing that can be graded again`, {
      expected: "a study of a target that grades again, such as rollout",
    });
  const redactor = redactorFor({
    target: file.study.target,
    baseDir: dirname(file.spec.path),
    env: file.study.env,
  });
  const lock = await Lock.take(studyDir, redactor.text);
  try {
    const path = `${studyDir}/${STUDY_FILES.journal}`;
    const history = new History(path, []);
    const journal = new Journal(path, history, redactor);
    const records = currentRecords(studyDir);
    const plan = new Plan(file.study, file.program);
    const place = { studyDir, target, plan, spec: file.spec, redactor };
    const sinks = file.study.isStamped ? launchFiles(place, records) : [];
    try {
      return await gradeAll(records, {
        ...{ studyDir, file, regrading: target.regrading, options, journal, sinks },
      });
    } finally {
      for (const sink of sinks) sink.close?.();
      history.close();
      journal.close();
    }
  } finally {
    lock.release();
  }
}

interface Grading {
  studyDir: string;
  file: StudyFile;
  regrading: Regrading;
  options: EvaluateOptions;
  journal: Journal;
  sinks: Sink[];
}

async function gradeAll(
  records: readonly RunRecord[],
  { studyDir, file, regrading, options, journal, sinks }: Grading,
): Promise<Evaluation> {
  const { jobs = file.study.executor.jobs || 1, signal = new AbortController().signal, onGraded } = options;
  const able = records.filter((record) => regrading.canRegrade(record, studyDir));
  const result: Evaluation = {
    graded: 0,
    changed: [],
    passedOver: records.length - able.length,
    broken: [],
  };
  const queue = [...able];
  const baseDir = dirname(file.spec.path);
  let refusal: MachineError | undefined;
  const gradeNext = async (): Promise<void> => {
    for (let before = queue.shift(); before && !signal.aborted; before = queue.shift()) {
      try {
        const after = await regrading.regrade(before, { studyDir, baseDir, signal });
        result.graded++;
        if (after !== before) {
          journal.append([after]);
          result.changed.push({ before, after });
        }
        for (const sink of sinks) sink.handle({ kind: "ended", record: after });
      } catch (error) {
        if (signal.aborted) return;
        const cause = asMachineError(error);
        if (cause instanceof MachineError) {
          // No other one could be graded either. Those under way end first: they write where we do.
          refusal ??= cause;
          queue.length = 0;
          return;
        }
        result.broken.push({ id: before.id, reason: errorText(error) });
      }
      onGraded?.(result.graded + result.broken.length, able.length);
    }
  };
  await Promise.all(Array.from({ length: jobs }, gradeNext));
  if (refusal) throw refusal;
  return result;
}
