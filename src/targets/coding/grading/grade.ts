import type { Owner } from "../../../core/run.ts";
import type { Suspicion } from "../suspicion/suspicion.ts";
import type { Applied } from "../workspace/base.ts";
import type { Judgement } from "./judge.ts";

/** What the tests and the judge say of one patch. */
export interface Grade {
  patch: Applied["way"];
  /** Why there is no score, or (owner agent) why it is 0. */
  problem?: { owner: Owner; reason: string };
  /** Between 0 and 1; null where it could not be found out. */
  score: number | null;
  /** Whether every tested rubric is full; null where there is no score. */
  isSolved: boolean | null;
  rubrics: RubricGrade[];
  tests: TestResult[];
  /** The task's own metrics. */
  custom: Record<string, number>;
  judgement?: Judgement;
  /** Signs that the tests were passed in another way than by solving the task. They change no score. */
  suspicions: Suspicion[];
  warnings: string[];
  wallMs: number;
}

export interface RubricGrade {
  id: string;
  criterion: string;
  weight: number;
  tests: number;
  passed: number;
  /** Null where nothing tests it: it is left out of the total. */
  score: number | null;
}

export interface TestResult {
  path: string;
  rubricId: string | null;
  /** "broken": it could not run, which says nothing about the patch. */
  verdict: "passed" | "failed" | "broken";
  /** Of one that could not run: whether a wrong patch can bring that about. */
  mayBePatch?: boolean;
  /** What it was, in words. */
  reason: string;
  /** It ended well without the proof that only a whole run of it can give. */
  isUnproven?: boolean;
  /** Files of the grader's that it, or what it ran, changed. */
  changed?: string[];
  exitCode: number | null;
  wallMs: number;
  /** The beginning and the end of what it printed. */
  output: string;
}
