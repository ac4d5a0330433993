import { RECORD_SHAPE } from "../core/read-journal.ts";
import {
  anything,
  eitherOf,
  type JsonSchema,
  listOf,
  number,
  objectWith,
  oneOf,
  optional,
  orNull,
  type Shape,
  tableOf,
  text,
  withSchema,
} from "../core/shape.ts";
import { STUDY_FILES, studyFileProblem } from "../core/study-folder.ts";

const flag = withSchema((value) => (typeof value === "boolean" ? undefined : "expected true or false"), {
  type: "boolean",
});
const counts = { ok: number, stoppedEarly: number, failed: number, cancelled: number };
const failure = objectWith({ owner: text, reason: text, count: number, ids: listOf(text) });

const table = tableOf(anything);
const texts = listOf(text);
const objects = listOf(table);
/** Of a command or a study, as `core/warning.ts` has them. */
const warnings = listOf(objectWith({ kind: text, level: oneOf(["warn", "info"]), text }));
const named = listOf(objectWith({ name: text }));

/** What `assay run --json` prints, one line per study. */
const RUN = objectWith({
  ...{ studyDir: text, total: orNull(number), skipped: number, ...counts, left: orNull(number) },
  ...{ wallMs: number, costUsd: number, notes: warnings },
  ...{ stopped: optional(oneOf(["interrupted", "fail-fast", "budget"])), ending: optional(text) },
  ...{ problem: optional(text), answer: orNull(text), report: orNull(anything) },
});

/** Of one study. */
const STATUS = objectWith({
  ...{ name: text, studyDir: text, total: orNull(number), ...counts, left: orNull(number), costUsd: number },
  ...{ decision: orNull(anything), runner: orNull(anything), isPaused: flag, etaMs: orNull(number) },
  running: listOf(objectWith({ id: text, sinceMs: number })),
  newestFailures: listOf(objectWith({ id: text, reason: text, at: text })),
  failures: listOf(failure),
});

const DETACHED = objectWith({ studyDir: text, pid: number, log: text });

const PLAN = objectWith({
  ...{ study: text, dialect: text, studyDir: text, program: text, total: orNull(number), runs: objects },
  ...{
    pending: optional(number),
    finished: optional(number),
    saved: optional(number),
    seeds: optional(number),
  },
  ...{ tasks: optional(number), scoring: optional(number), axes: optional(named) },
  ...{ search: optional(table), warnings: optional(warnings) },
});

const GRADED = objectWith({
  ...{ studyDir: text, graded: number, passedOver: anything, broken: listOf(anything) },
  changed: listOf(objectWith({ id: text, before: anything, after: anything })),
});

const SHOW = objectWith({ id: text, params: table, outcome: objectWith({ status: text }), studyDir: text });

/** With --changes. */
const CHANGES = objectWith({
  ...{ study: text, launchedAt: orNull(text), commit: text, wasDirty: flag, untracked: texts },
  commits: listOf(objectWith({ commit: text, subject: text })),
  files: listOf(objectWith({ path: text, added: orNull(number), deleted: orNull(number) })),
});

const PUSH = objectWith({
  ...{ study: text, place: text, runs: number, sent: number, bytes: number, known: number, warnings },
});

const PULLED = objectWith({
  ...{ study: text, studyDir: text, pushes: number, runs: number, added: number },
  ...{ fetched: number, known: number, warnings },
});
const PUSHES = objectWith({
  pushes: listOf(objectWith({ study: text, at: text, by: text, host: text, runs: number, hasFiles: flag })),
});

const COMPARE = objectWith({
  ...{
    family: number,
    alpha: number,
    adjust: text,
    baseline: anything,
    ranks: objects,
    failures: objects,
  },
  ...{ warnings, leaders: objects, headlines: optional(listOf(anything)), next: optional(texts) },
  comparisons: listOf(
    objectWith({ metric: text, verdict: anything, sentence: text, p: orNull(number), difference: anything }),
  ),
});

const RANK = objectWith({
  ...{ alpha: number, sentence: text, pairs: objects, method: text, cautions: texts, measured: table },
  arms: listOf(
    objectWith({ name: text, n: number, mean: orNull(number), interval: anything, letters: text }),
  ),
});

const POWER = objectWith({
  ...{ measured: table, pilot: table, power: number, alpha: number, side: text, jobs: number },
  ...{ arms: number, comparisons: number, effect: orNull(number), plans: objects },
});

/** With --precision. */
const PRECISION = objectWith({
  ...{ study: text, metric: text, what: text, threshold: number, effect: orNull(number), panels: objects },
  ...{ noise: listOf(anything), missing: listOf(anything), cautions: texts },
});

const HISTORY = objectWith({
  ...{ metric: text, points: text, cells: objects, single: number, left: number },
  ...{ regressions: optional(anything), bisected: optional(anything) },
});

const BEST = objectWith({
  ...{ study: text, studyDir: text, objectives: objects, points: number, counts: table, isFront: flag },
  ...{ sentence: text, best: listOf(objectWith({ rank: number, params: table })), warnings },
});

const SUMMARIZE = objectWith({
  title: text,
  total: number,
  left: number,
  runs: objects,
  tasks: texts,
  arms: objects,
  cells: objects,
});

const CONTROL = objectWith({
  ...{ study: text, action: oneOf(["pause", "resume", "cancel", "adjust"]), run: orNull(text), taken: flag },
  ...{ jobs: optional(number), costUsd: optional(number), wallMs: optional(number) },
});

const WORKER = eitherOf(
  objectWith({ worker: text, done: number, failed: number, problem: orNull(text) }),
  objectWith({ studyDir: text, ...counts, wallMs: number, stopped: orNull(text), ending: orNull(text) }),
);

const FLEET = eitherOf(
  objectWith({
    ...{ queue: text, nowMs: number, classes: objects, studies: named, limits: objects, troubles: objects },
    workers: listOf(
      objectWith({ id: text, host: text, version: text, jobs: number, state: text, done: number }),
    ),
  }),
  objectWith({ action: text, workers: anything }),
);

const SWEEP = eitherOf(
  objectWith({ id: text, total: orNull(number), notes: warnings }),
  objectWith({ state: text, points: number, open: number }),
  objectWith({ asked: number, same: number }),
);

const EXPORT = eitherOf(
  objectWith({ path: text, rows: number, from: text, unreadable: listOf(anything) }),
  objectWith({ tables: objects, problems: listOf(anything) }),
  objectWith({ place: text, added: number, changed: number, known: number, problems: texts }),
);

const GATEWAY = eitherOf(
  objectWith({ url: text }),
  objectWith({ startedAtMs: number, protocol: text, model: orNull(text), status: number, wallMs: number }),
  objectWith({ total: objectWith({ calls: number, failed: number, tokens: number }) }),
);

const LIST = eitherOf(
  objectWith({ name: text, params: objects, metrics: named }),
  tableOf(listOf(objectWith({ name: text, description: text }))),
);

const DOCTOR = eitherOf(
  objectWith({ checks: named, machine: table }),
  objectWith({ plugin: text, checks: listOf(objectWith({ title: text, problem: orNull(text) })) }),
  objectWith({ agents: objects }),
);

const TIME = objectWith({
  commands: listOf(
    objectWith({ line: text, params: table, times: listOf(number), mean: number, median: number }),
  ),
  ...{ shellSeconds: anything, compared: orNull(anything), warnings },
});

/** What any command prints with --json where it fails. */
const ERROR = objectWith({ error: objectWith({ code: number, message: text }) });

/** What each command prints with --json. A line is one document; `run`, `gateway` and `fleet --watch` print several. */
const COMMANDS: Record<string, Shape> = {
  try: RUN,
  run: eitherOf(RUN, DETACHED, PLAN, objectWith({ decision: table, verdicts: number, differing: objects })),
  agent: eitherOf(RUN, PLAN),
  plan: PLAN,
  score: eitherOf(RUN, GRADED),
  status: eitherOf(STATUS, listOf(STATUS), SHOW, CHANGES),
  show: SHOW,
  report: eitherOf(objectWith({ files: texts }), objectWith({ file: text, kind: text })),
  compare: COMPARE,
  rank: RANK,
  power: eitherOf(POWER, PRECISION),
  history: HISTORY,
  best: BEST,
  confirm: objectWith({
    studyDir: text,
    report: text,
    notes: warnings,
    summary: table,
    comparisons: objects,
  }),
  summarize: SUMMARIZE,
  judge: eitherOf(objectWith({ study: text, runs: texts }), objectWith({ study: text, judge: text })),
  recommend: objectWith({ comparisons: anything, advice: anything, preset: anything }),
  query: objects,
  note: objectWith({ notes: objects, views: objects, agreement: anything }),
  export: EXPORT,
  import: objectWith({
    ...{ name: text, studyDir: text, added: number, changed: number, known: number, total: number },
    ...{ missing: number, counted: number, formats: tableOf(number), warnings },
  }),
  push: PUSH,
  pull: eitherOf(objectWith({ studies: listOf(PULLED) }), PUSHES),
  lock: objectWith({
    studyDir: text,
    lock: objectWith({ format: number, hash: text, plan: table }),
    isNew: flag,
  }),
  cancel: CONTROL,
  pause: CONTROL,
  resume: CONTROL,
  adjust: CONTROL,
  worker: WORKER,
  fleet: FLEET,
  sweep: SWEEP,
  gateway: GATEWAY,
  ui: objectWith({
    url: text,
    port: number,
    root: text,
    roots: texts,
    canControl: flag,
    token: optional(text),
  }),
  init: objectWith({ kind: text, files: texts, name: optional(text) }),
  list: LIST,
  doctor: DOCTOR,
  time: TIME,
  sim: objectWith({ params: table, seed: number, metrics: table, warnings, outDir: orNull(text) }),
  agents: objectWith({ folder: text, agents: named }),
  "agents install": objectWith({ installed: objects }),
  traj: objectWith({ files: objects, summary: table }),
  "traj replay": objectWith({
    ...{ strategy: text, params: table, assumptions: anything },
    ...{ files: objects, problems: listOf(objectWith({ file: text, problem: text })) },
  }),
  "tasks check": objectWith({ studyDir: anything, tasks: objects }),
  "tasks split": objectWith({ tasks: anything }),
  "tasks images": objectWith({ images: named }),
};

const SHAPES: Record<string, { shape: Shape; title: string }> = {
  [STUDY_FILES.study]: { shape: studyFileProblem, title: "study.json: what a study's folder is about" },
  [STUDY_FILES.journal]: { shape: RECORD_SHAPE, title: "A line of journal.jsonl: one run" },
  ...Object.fromEntries(
    Object.entries(COMMANDS).map(([command, shape]) => [
      `${command.replace(" ", "-")}.json`,
      { shape, title: `What \`assay ${command} --json\` prints` },
    ]),
  ),
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
