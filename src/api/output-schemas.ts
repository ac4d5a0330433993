import { RECORD_SHAPE } from "../core/read-journal.ts";
import {
  anything,
  type JsonSchema,
  listOf,
  number,
  objectWith,
  oneOf,
  optional,
  orNull,
  type Shape,
  text,
  withSchema,
} from "../core/shape.ts";
import { STUDY_FILES, studyFileProblem } from "../core/study-folder.ts";

const flag = withSchema((value) => (typeof value === "boolean" ? undefined : "expected true or false"), {
  type: "boolean",
});
const counts = { ok: number, stoppedEarly: number, failed: number, cancelled: number };
const failure = objectWith({ owner: text, reason: text, count: number, ids: listOf(text) });

/** What `assay run --json` prints, one line per study. */
const RUN = objectWith({
  ...{ studyDir: text, total: orNull(number), skipped: number, ...counts, left: orNull(number) },
  ...{ wallMs: number, costUsd: number, notes: listOf(text) },
  ...{ stopped: optional(oneOf(["interrupted", "fail-fast", "budget"])), ending: optional(text) },
  ...{ problem: optional(text), answer: orNull(text), report: orNull(anything) },
});

/** What `assay status STUDY --json` prints; without a study, a list of these. */
const STATUS = objectWith({
  ...{ name: text, studyDir: text, total: orNull(number), ...counts, left: orNull(number), costUsd: number },
  ...{ decision: orNull(anything), runner: orNull(anything), isPaused: flag, etaMs: orNull(number) },
  running: listOf(objectWith({ id: text, sinceMs: number })),
  newestFailures: listOf(objectWith({ id: text, reason: text, at: text })),
  failures: listOf(failure),
});

const PUSH = objectWith({
  ...{ study: text, place: text, runs: number, sent: number, bytes: number, known: number },
  warnings: listOf(text),
});

const PULL = objectWith({
  studies: listOf(
    objectWith({
      ...{ study: text, studyDir: text, pushes: number, runs: number, added: number },
      ...{ fetched: number, known: number, warnings: listOf(text) },
    }),
  ),
});

/** What any command prints with --json where it fails. */
const ERROR = objectWith({ error: objectWith({ code: number, message: text }) });

const SHAPES: Record<string, { shape: Shape; title: string }> = {
  [STUDY_FILES.study]: { shape: studyFileProblem, title: "study.json: what a study's folder is about" },
  [STUDY_FILES.journal]: { shape: RECORD_SHAPE, title: "A line of journal.jsonl: one run" },
  "run.json": { shape: RUN, title: "What `assay run --json` prints" },
  "status.json": { shape: STATUS, title: "What `assay status STUDY --json` prints" },
  "push.json": { shape: PUSH, title: "What `assay push --json` prints" },
  "pull.json": { shape: PULL, title: "What `assay pull --json` prints" },
  "error.json": { shape: ERROR, title: "What a command prints with --json where it fails" },
};

/**
 * By name. Keys are only ever added to what they describe, so a document may have more than its schema names; the same
 * checks read these files.
 */
export function outputSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(SHAPES).map(([name, { shape, title }]) => [
      name,
      { $schema: "https://json-schema.org/draft/2020-12/schema", title, ...shape.schema },
    ]),
  );
}
