import type { Decider, Decision, Round, Standing, Standoff } from "../../core/decider.ts";
import { UserError } from "../../core/errors.ts";
import { RandomStream, shuffle } from "../../core/random.ts";
import { faultOf, hashOf, type MetricInfos, OK, type Run, type RunRecord } from "../../core/run.ts";
import type { Amount, Decide, Study } from "../../core/study.ts";
import { designOf } from "../../design/design.ts";
import { type Goal, type MetricFacts, metricFacts } from "../../design/metric.ts";
import type { DuelVerdict } from "../../stats/duels/duel.ts";
import { TaskOrder } from "../../stats/duels/task-order.ts";
import { decisionOf } from "./decision.ts";
import { Race } from "./race.ts";

/**
 * A study that decides as it goes: its runs in rounds, in an order drawn beforehand, and what those rounds say that are
 * complete, one after the other. It sees nothing but records, so the same journal always leads to the same decision, in
 * whichever order runs ended, after whatever interruption.
 */
export class StudyFollower implements Decider {
  /** Those that are drawn, in their order, and then the others. */
  rounds: readonly Round[];
  readonly noun: string;
  readonly arms: readonly string[];
  /** See `Decision.alike`. */
  readonly alike: number | undefined;
  /** Rounds that count, from the first on. */
  done = 0;
  private readonly race: Race;
  /** Where earlier outcomes say how easy tasks are: which comes next depends on what the arms made of those before. */
  private readonly order: TaskOrder | undefined;
  /** What the arms made of each round that counts, as a share of the range. */
  private readonly shares = new Map<string, (number | null)[]>();
  private readonly rule: Decide;
  private readonly metric: MetricFacts;
  private readonly range: readonly [number, number] | undefined;
  private readonly planned: ReadonlySet<string>;
  private readonly values = new Map<string, number | null>();
  private readonly all: readonly Round[];
  private isPrecise = false;

  constructor(study: Study, runs: Iterable<Run>, infos: MetricInfos = {}) {
    const { analysis } = study;
    const rule = analysis.decide!;
    if (analysis.metric === undefined)
      throw new UserError("analysis.decide needs a metric", { remedy: "Write analysis: {metric: score}." });
    this.rule = rule;
    this.metric = metricFacts(analysis.metric, { analysis, infos });
    this.range = boundsOf(this.metric);
    const records = Array.from(runs, bareRecord);
    this.planned = new Set(records.map(({ id }) => hashOf(id)));
    const design = designOf([{ label: study.name, dir: "", study, records }]);
    this.arms = design.arms.map(({ name }) => name);
    if (this.arms.length < 2)
      throw new UserError("analysis.decide needs two arms or more", {
        got: `${this.arms.length}`,
        remedy: "Give a parameter several values under matrix, or name variants.",
      });
    const units = new Map<string, Map<string, Run[]>>();
    for (const { record, arm, unit } of design.runs) {
      const round = units.get(unit) ?? units.set(unit, new Map()).get(unit)!;
      const own = round.get(arm) ?? round.set(arm, []).get(arm)!;
      own.push(record);
    }
    const all = [...units].map(([unit, own]): Round => ({ unit, runs: own }));
    // Seeds are draws already; in their own order, seeds that are added later come last.
    const isSet = design.unit === "task";
    const stream = new RandomStream(1, `rounds of ${study.name}`);
    this.all = all;
    const easiness = study.easiness && this.easinessOf(study.easiness, isSet);
    this.order = easiness && new TaskOrder(easiness, stream);
    this.rounds = isSet && !easiness ? shuffle(all, stream) : all;
    this.noun = design.unit;
    this.alike = study.alike?.agents;
    this.race = new Race({
      arms: this.arms,
      baseline: design.baseline,
      goal: this.metric.goal,
      alpha: rule.alpha ?? 0.05,
      margin: this.amount(rule.margin, "margin"),
      power: rule.power,
      width: this.width,
      // Tasks are the set that the study is about; seeds stand for all that could have been drawn.
      size: isSet ? this.rounds.length : Number.POSITIVE_INFINITY,
      likeness: easiness && study.alike && { easiness, temper: study.alike.temper },
    });
    if (this.order) this.drawOn(this.order);
  }

  /** Whether every value is a pass or a failure: such differ by points. */
  get isRate(): boolean {
    if (this.range?.[0] !== 0 || this.range[1] !== 1) return false;
    for (const value of this.values.values()) if (value !== 0 && value !== 1 && value !== null) return false;
    return true;
  }

  get isOver(): boolean {
    if (this.done === this.rounds.length) return true;
    if (this.rule.until === "budget") return false;
    return this.rule.until === "precise" ? this.isPrecise : this.race.isDecided;
  }

  /** Whether every pair of arms has its verdict. */
  get isDecided(): boolean {
    return this.race.isDecided;
  }

  get standing(): Standing {
    const { duels, open } = this.race;
    const counts = { settled: duels.length - open.length, pairs: duels.length };
    return { rounds: this.done, of: this.rounds.length, noun: this.noun, ...counts };
  }

  get decision(): Decision {
    return decisionOf(this);
  }

  /** The arms that further rounds are run with. */
  get running(): readonly string[] {
    if (this.isOver) return [];
    return this.rule.until === "decided" ? this.race.running : this.arms;
  }

  get drawn(): number {
    return this.order?.draws.length ?? this.rounds.length;
  }

  has(run: Run): boolean {
    return this.values.has(hashOf(run.id));
  }

  /** Takes what a run gave, in any order, and counts the rounds that are complete with it. Says whether that changed any verdict. */
  note(record: RunRecord): boolean {
    if (!this.planned.has(hashOf(record.id))) return false;
    this.values.set(hashOf(record.id), this.valueOf(record));
    const before = this.verdicts;
    while (!this.isOver) {
      const round = this.rounds[this.done]!;
      const running = this.running;
      if (!running.every((arm) => (round.runs.get(arm) ?? []).every((run) => this.has(run)))) break;
      const values = new Map(running.map((arm) => [arm, this.meanOf(round.runs.get(arm) ?? [])]));
      this.race.add(values, this.order?.draws[this.done]);
      this.done++;
      if (this.order) this.keep(values);
      if (this.order && !this.isOver && this.done === this.order.draws.length) this.drawOn(this.order);
      if (this.rule.until === "precise") this.isPrecise = this.checkPrecision();
    }
    return this.verdicts !== before;
  }

  /** Every pair of arms; `withIntervals: false` saves the time that they take. */
  standoffs({ withIntervals = true } = {}): Standoff[] {
    return this.race.duels.map(({ candidate, against, duel }) => {
      const interval = withIntervals ? duel.interval() : undefined;
      return {
        candidate,
        against,
        verdict: inWords(duel.verdict, this.metric.goal),
        rounds: duel.decidedAt ?? duel.differences.length,
        interval: interval?.known ? interval : null,
      };
    });
  }

  /** How easy the task of each round is. */
  private easinessOf(easiness: Readonly<Record<string, number>>, isSet: boolean): number[] {
    if (!isSet || this.range === undefined)
      throw new UserError("analysis.decide.history", {
        expected: isSet ? `a range of ${this.metric.name}` : "a study of tasks",
        got: isSet ? "none" : "seeds, which nobody has tried before",
        remedy: isSet ? "Write what the metric can be: range: [0, 1]." : "Leave history out.",
      });
    return this.all.map(({ runs }) => easiness[[...runs.values()][0]?.[0]?.task ?? ""] ?? 0);
  }

  private arrange({ draws }: TaskOrder): void {
    const places = new Set(draws.map(({ index }) => index));
    this.rounds = [
      ...draws.map(({ index }) => this.all[index]!),
      ...this.all.filter((_, i) => !places.has(i)),
    ];
  }

  /** What a round gave. */
  private keep(values: ReadonlyMap<string, number | null>): void {
    const [least, most] = this.range!;
    for (const arm of this.arms) {
      const value = values.get(arm) ?? null;
      const own = this.shares.get(arm) ?? this.shares.set(arm, []).get(arm)!;
      own.push(value === null ? null : (value - least) / (most - least));
    }
  }

  /** Draws further tasks by what was seen. */
  private drawOn(order: TaskOrder): void {
    const madeBy = (arm: string) => this.shares.get(arm) ?? [];
    order.extend(
      (this.isDecided ? this.race.duels : this.race.open).map(({ candidate, against, duel }) => ({
        values: [madeBy(candidate), madeBy(against)] as const,
        duel,
      })),
    );
    this.arrange(order);
  }

  private get verdicts(): string {
    return this.race.duels.map(({ duel }) => duel.verdict ?? "").join();
  }

  private get width(): number | undefined {
    return this.range && this.range[1] - this.range[0];
  }

  private amount(amount: Amount | undefined, name: string): number | undefined {
    if (!amount?.isShare) return amount?.value;
    if (this.width === undefined)
      throw new UserError(`analysis.decide.${name}`, {
        expected: `an amount in the unit of ${this.metric.name}, whose range is not known`,
        got: `${amount.value * 100}%`,
        remedy: "Write a number, or say what the metric can be: range: [0, 1].",
      });
    return amount.value * this.width;
  }

  /** Not after every round of a long study: an interval costs some milliseconds. */
  private checkPrecision(): boolean {
    const half = this.amount(this.rule.precise, "precise");
    if (half === undefined || this.done % Math.max(1, Math.floor(this.done / 20)) > 0) return false;
    return this.standoffs().every(
      ({ interval }) => interval !== null && interval.high - interval.low <= 2 * half,
    );
  }

  private meanOf(runs: readonly Run[]): number | null {
    let sum = 0;
    for (const run of runs) {
      const value = this.values.get(hashOf(run.id)) ?? null;
      if (value === null) return null;
      sum += value;
    }
    return runs.length === 0 ? null : sum / runs.length;
  }

  private valueOf({ id, outcome, metrics }: RunRecord): number | null {
    const { name, goal, failure } = this.metric;
    const fault = faultOf(outcome);
    if (fault !== undefined) {
      const counts = fault === "agent" && failure === "worst" && this.range !== undefined;
      return counts ? this.range![goal === "minimize" ? 1 : 0] : null;
    }
    const value = metrics[name];
    if (typeof value !== "number" || !Number.isFinite(value)) return null;
    if (this.range && (value < this.range[0] || value > this.range[1]))
      throw new UserError(`${id}: ${name}`, {
        expected: `${this.range.join(" to ")}, which deciding counts on`,
        got: `${value}`,
        remedy: "Correct analysis.decide.range.",
      });
    return value;
  }
}

function boundsOf({ range }: MetricFacts): readonly [number, number] | undefined {
  return range && Number.isFinite(range[0]) && Number.isFinite(range[1]) ? range : undefined;
}

function inWords(verdict: DuelVerdict | null, goal: Goal | null): Standoff["verdict"] {
  if (goal === null || (verdict !== "greater" && verdict !== "less")) return verdict;
  return (verdict === "greater") === (goal === "maximize") ? "better" : "worse";
}

/** A run that is only planned, as a design takes it. */
function bareRecord(run: Run): RunRecord {
  return { ...run, program: "", attempt: 0, outcome: OK, metrics: {}, startedAtMs: 0, wallMs: 0 };
}
