import { canonicalJson } from "../core/hash.ts";
import type { Run, RunRecord } from "../core/run.ts";
import type { Sink, StudyEvent } from "../core/sink.ts";
import { type Doomed, isSuccess, longestStall } from "../core/stall.ts";
import type { History } from "../engine/pending.ts";
import { conformalLimit, conformalNeed } from "../stats/index.ts";
import type { PreparedStudy } from "./prepare-study.ts";
import { type EndingRule, reportedBy } from "./stopping-executor.ts";

interface Arm {
  /** In the order in which they began; null while one is under way. */
  begun: Map<string, { isSuccess: boolean; stall: number } | null>;
  /** How long a run may go without progress; undefined until enough have succeeded. */
  limit?: number;
}

/**
 * `limits.doomed`: ends a run that has gone longer without progress than runs do that succeed in the end. Each arm's first
 * runs are never ended. Once all that began before some moment are over and enough of them succeeded, their longest
 * stretches without progress make the limit, for good: so a run that would succeed is ended with a chance of at most the
 * rate, on average over which runs came first. Whichever end first don't count for more, or quick ones would.
 */
export class DoomedRuns implements Sink {
  readonly rule: EndingRule;
  readonly #doomed: Doomed;
  readonly #arms = new Map<string, Arm>();
  readonly #armOf = new Map<string, Arm>();

  constructor({ plan, studyDir }: PreparedStudy, history: History, doomed: Doomed) {
    this.#doomed = doomed;
    const { metric } = doomed;
    this.rule = {
      ...{ kind: "doomed", studyDir, metric, owner: "agent" },
      judge: ({ id, values }) => this.#judge(id, values),
    };
    const before: RunRecord[] = [];
    for (const run of plan.runs()) {
      const record = history.recordOf(run);
      if (record) before.push(record);
    }
    for (const record of before.sort((a, b) => a.startedAtMs - b.startedAtMs)) {
      this.#begin(record);
      this.#end(record);
    }
  }

  handle(event: StudyEvent): void {
    if (event.kind === "started") this.#begin(event.run);
    else if (event.kind === "ended") this.#end(event.record);
  }

  #judge(id: string, values: readonly number[]): { stop: boolean; why: string } {
    const limit = this.#armOf.get(id)?.limit;
    if (limit === undefined) return { stop: false, why: "too few runs have succeeded" };
    const { goal, metric } = this.#doomed;
    const { now } = longestStall(values, goal);
    const why = `${now} values of ${metric} without progress, where those that succeed go ${limit} at most`;
    return { stop: now > limit, why };
  }

  #begin(run: Run): void {
    const key = canonicalJson([run.variant, run.params]);
    const arm = this.#arms.get(key) ?? this.#arms.set(key, { begun: new Map() }).get(key)!;
    this.#armOf.set(run.id, arm);
    if (!arm.begun.has(run.id)) arm.begun.set(run.id, null);
  }

  #end(record: RunRecord): void {
    const arm = this.#armOf.get(record.id);
    if (!arm || arm.limit !== undefined) return;
    const { goal } = this.#doomed;
    const { longest } = longestStall(reportedBy(record.id, this.rule).values, goal);
    arm.begun.set(record.id, { isSuccess: isSuccess(record, this.#doomed), stall: longest });
    const stalls: number[] = [];
    for (const over of arm.begun.values()) {
      if (over === null) return;
      if (!over.isSuccess) continue;
      stalls.push(over.stall);
      if (stalls.length < conformalNeed(this.#doomed.rate)) continue;
      const found = conformalLimit(stalls, this.#doomed.rate);
      if (found.known) arm.limit = found.limit;
      return;
    }
  }
}
