import { EXIT_CATEGORIES, type ExitCategory } from "../../core/exit-category.ts";
import { promptTokens, SPENDERS, type Spender, type TrajectorySummary } from "./summarise-file.ts";
import { type Measured, Tally } from "./tally.ts";

export interface FolderSummary {
  files: number;
  broken: number;
  formats: Record<string, number>;
  models: Record<string, number>;
  /** Only categories that occur. */
  exits: Partial<Record<ExitCategory, number>>;
  /** Of the exits for cost, those that a limit of calls made. */
  callLimits: number;
  submitted: number;
  /** Submissions of nothing, and those of which the file does not say. */
  emptySubmissions: number;
  unknownSubmissions: number;
  /** Solved, of the files that tell. */
  resolved: { count: number; known: number };
  turns: Measured;
  calls: Measured;
  tokens: Record<"input" | "cached" | "output" | "reasoning", Measured>;
  costUsd: Measured;
  wallMs: Measured;
  /** Of the files that keep accounts apart: who spent and called how much. */
  parts: Record<
    Spender,
    { costUsd: number; calls: number; costFraction: number | null; callFraction: number | null }
  > | null;
  /** cached / (input + cached), over the files that know both. */
  cacheHitRate: number | null;
  /** All that was sent / turns, over the files that know it. */
  avgTokensPerTurn: number | null;
}

const MEASURES = ["turns", "calls", "costUsd", "wallMs", "input", "cached", "output", "reasoning"] as const;
type Measure = (typeof MEASURES)[number];

/** Adds files up one by one, and keeps none of them. */
export class FolderTally {
  #files = 0;
  #broken = 0;
  #submitted = 0;
  #empty = 0;
  #unknown = 0;
  #callLimits = 0;
  readonly #resolved = { count: 0, known: 0 };
  readonly #exits = new Map<ExitCategory, number>();
  readonly #formats = new Map<string, number>();
  readonly #models = new Map<string, number>();
  readonly #sums = Object.fromEntries(MEASURES.map((name) => [name, new Tally()])) as Record<Measure, Tally>;
  readonly #cache = { read: 0, sent: 0 };
  readonly #sent = { tokens: 0, turns: 0 };
  #apart = 0;
  readonly #parts = {
    agent: { costUsd: 0, calls: 0 },
    summary: { costUsd: 0, calls: 0 },
    retry: { costUsd: 0, calls: 0 },
  };

  addBroken(): void {
    this.#broken++;
  }

  add(file: TrajectorySummary): void {
    this.#files++;
    count(this.#exits, file.category);
    count(this.#formats, file.format);
    if (file.model !== null) count(this.#models, file.model);
    if (file.limit === "calls") this.#callLimits++;
    if (file.isResolved !== null) this.#resolved.known++;
    if (file.isResolved) this.#resolved.count++;
    if (file.isSubmitted) {
      this.#submitted++;
      if (file.isEmpty === true) this.#empty++;
      if (file.isEmpty === null) this.#unknown++;
    }
    const { turns, calls, costUsd, wallMs, tokens } = file;
    const { input, cached, output, reasoning } = tokens;
    const measures = { turns, calls, costUsd, wallMs, input, cached, output, reasoning };
    for (const name of MEASURES) this.#sums[name].add(measures[name]);
    const sent = promptTokens(tokens);
    if (sent !== null) {
      this.#sent.tokens += sent;
      this.#sent.turns += turns;
      if (cached !== null) {
        this.#cache.read += cached;
        this.#cache.sent += sent;
      }
    }
    this.#addParts(file);
  }

  #addParts({ parts }: TrajectorySummary): void {
    const accounts = SPENDERS.flatMap((who) => (parts[who] ? [{ who, ...parts[who] }] : []));
    // A share of what is half unknown would be wrong for all.
    if (accounts.length === 0 || accounts.some(({ costUsd, calls }) => costUsd === null || calls === null))
      return;
    this.#apart++;
    for (const { who, costUsd, calls } of accounts) {
      this.#parts[who].costUsd += costUsd!;
      this.#parts[who].calls += calls!;
    }
  }

  summary(): FolderSummary {
    const { turns, calls, costUsd, wallMs, input, cached, output, reasoning } = this.#sums;
    return {
      files: this.#files,
      broken: this.#broken,
      formats: byCount(this.#formats),
      models: byCount(this.#models),
      exits: Object.fromEntries(
        EXIT_CATEGORIES.flatMap((name) => (this.#exits.has(name) ? [[name, this.#exits.get(name)!]] : [])),
      ),
      callLimits: this.#callLimits,
      submitted: this.#submitted,
      emptySubmissions: this.#empty,
      unknownSubmissions: this.#unknown,
      resolved: this.#resolved,
      turns: turns.measured(),
      calls: calls.measured(),
      tokens: {
        input: input.measured(),
        cached: cached.measured(),
        output: output.measured(),
        reasoning: reasoning.measured(),
      },
      costUsd: costUsd.measured(),
      wallMs: wallMs.measured(),
      parts: this.#apart === 0 ? null : fractions(this.#parts),
      cacheHitRate: ratio(this.#cache.read, this.#cache.sent),
      avgTokensPerTurn: ratio(this.#sent.tokens, this.#sent.turns),
    };
  }
}

function fractions(
  parts: Record<Spender, { costUsd: number; calls: number }>,
): NonNullable<FolderSummary["parts"]> {
  const total = (what: "costUsd" | "calls") => SPENDERS.reduce((sum, who) => sum + parts[who][what], 0);
  const of = (who: Spender) => ({
    ...parts[who],
    costFraction: ratio(parts[who].costUsd, total("costUsd")),
    callFraction: ratio(parts[who].calls, total("calls")),
  });
  return { agent: of("agent"), summary: of("summary"), retry: of("retry") };
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function byCount(counts: Map<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}
