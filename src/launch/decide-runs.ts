import { appendFileSync } from "node:fs";
import { readStudyFile } from "../archive/read-records.ts";
import type { Decider, Decision, MakeDecider } from "../core/decider.ts";
import { UserError } from "../core/errors.ts";
import { canonicalJson } from "../core/hash.ts";
import { plural } from "../core/number-text.ts";
import type { Run, RunRecord } from "../core/run.ts";
import type { Sink, StudyEvent } from "../core/sink.ts";
import type { Study } from "../core/study.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import type { History } from "../engine/pending.ts";
import type { Pending } from "../engine/run-study.ts";
import type { PreparedStudy } from "./prepare-study.ts";

/** Tasks that were drawn by other chances than those that the study has now would count with the wrong weights. */
function refuseOtherHistory({ study, studyDir }: PreparedStudy, { size }: History): void {
  const before = readStudyFile(studyDir)?.study;
  if (size === 0 || !before?.analysis.decide) return;
  const told = ({ easiness, alike }: Pick<Study, "easiness" | "alike">) => canonicalJson({ easiness, alike });
  if (told(before) === told(study)) return;
  throw new UserError("analysis.decide.history", {
    expected: `the tasks and the outcomes by which the ${plural(size, "run")} of this study were drawn`,
    got: "others",
    remedy: "Put them back, or begin anew with --fresh, which keeps the old results aside.",
  });
}

/** Hands out the runs of a study that decides as it goes, round by round, until it has. */
export class DecidedRuns implements Sink {
  readonly #follower: Decider;
  readonly #history: History;
  readonly #path: string;
  readonly #issued = new Set<string>();
  #open = 0;
  #tell: ((event: StudyEvent) => void) | undefined;

  constructor(prepared: PreparedStudy, history: History, make: MakeDecider) {
    const { study, plan, target, studyDir } = prepared;
    refuseOtherHistory(prepared, history);
    this.#history = history;
    this.#path = `${studyDir}/${STUDY_FILES.decisions}`;
    const follow = (counts: (record: RunRecord) => boolean) => {
      const follower = make(study, plan.runs(), target?.metrics);
      for (const { runs } of follower.rounds)
        for (const own of runs.values())
          for (const run of own) {
            const record = history.recordOf(run);
            if (record && record.outcome.status !== "cancelled" && counts(record)) follower.note(record);
          }
      return follower;
    };
    // A decision stands as it was made. Without one, what broke with the machine is tried again.
    const before = follow(() => true);
    this.#follower = before.isDecided ? before : follow(({ outcome }) => outcome.owner !== "infrastructure");
  }

  get decision(): Decision {
    return this.#follower.decision;
  }

  /** How many runs are planned at most, and how many have their result. */
  get counts(): { pending: number; finished: number } {
    let [pending, finished] = [0, 0];
    for (const { runs } of this.#follower.rounds)
      for (const own of runs.values())
        for (const run of own) {
          if (this.#follower.has(run)) finished++;
          else pending++;
        }
    return { pending: this.#follower.isOver ? 0 : pending, finished };
  }

  /** `atOnce` is how many run at the same time: so many rounds, and one, may be under way before the first of them counts. */
  *pending(atOnce: number): Generator<Pending | "later"> {
    const follower = this.#follower;
    while (!follower.isOver) {
      const next = this.#next(follower.done + atOnce + 1);
      if (next) {
        this.#issued.add(next.id);
        this.#open++;
        yield { run: next, reason: "new", attemptsBefore: this.#history.recordOf(next)?.attempt ?? 0 };
      } else if (this.#open > 0) yield "later";
      else return;
    }
  }

  /** Whom to tell how it stands whenever a round counts. */
  listen(sinks: readonly Sink[]): void {
    this.#tell = (event) => {
      for (const sink of sinks) if (sink !== this) sink.handle(event);
    };
    this.#tell({ kind: "deciding", standing: this.#follower.standing });
  }

  handle(event: StudyEvent): void {
    if (event.kind !== "ended" || !this.#issued.has(event.record.id)) return;
    this.#open--;
    const before = this.#follower.done;
    const hasChanged = this.#follower.note(event.record);
    if (hasChanged) this.#write();
    if (this.#follower.done > before) this.#tell?.({ kind: "deciding", standing: this.#follower.standing });
  }

  #next(end: number): Run | undefined {
    const { rounds, done, drawn, running } = this.#follower;
    for (const { runs } of rounds.slice(done, Math.min(end, drawn)))
      for (const arm of running)
        for (const run of runs.get(arm) ?? [])
          if (!this.#issued.has(run.id) && !this.#follower.has(run)) return run;
    return undefined;
  }

  /** For people and scripts that follow the study; what counts is the journal. */
  #write(): void {
    const { isDecided, rounds, of, pairs } = this.#follower.decision;
    const line = { at: new Date().toISOString(), isDecided, rounds, of, pairs };
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}
