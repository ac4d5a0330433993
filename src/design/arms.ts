import { UserError } from "../core/errors.ts";
import type { Params } from "../core/params.ts";
import type { RunRecord } from "../core/run.ts";
import { suggestion } from "../core/suggest.ts";
import {
  ABSENT,
  type Column,
  columnsOf,
  type Factor,
  factorNamed,
  levelOf,
  levelText,
  type Placement,
  type Shape,
} from "./factors.ts";

/** Runs that differ in nothing but what is drawn, repeated or shared by all arms. */
export interface DesignArm {
  name: string;
  /** The same wherever the study is read, so that an arm has one colour. */
  colour: number;
  /** Its level of each factor that tells arms apart. */
  levels: string[];
}

/** Axes of these names are what people compare; others are where they compare it. */
const COMPARED =
  /^(policy|arm|agent|model|method|algorithm|architecture|arch|condition|treatment|system|solver|scheduler|strategy)$/i;

/** What tells arms apart where the user did not say: what the baseline names, else what people compare. */
function chooseBy(study: Shape | undefined, factors: readonly Factor[]): string[] {
  const varying = factors.map(({ name }) => name);
  const declared = Object.keys(study?.analysis.baseline ?? {}).filter((name) => varying.includes(name));
  if (declared.length > 0) return declared;
  const axes = factors.filter(({ name }) => name !== "variant");
  const named = axes.filter(({ name }) => COMPARED.test(name));
  const wordy = axes.filter(({ isNumeric }) => !isNumeric);
  const chosen = named.length > 0 ? named : wordy;
  if (chosen.length > 0) return chosen.map(({ name }) => name);
  return varying.includes("variant") ? ["variant"] : varying;
}

interface Choice {
  ofAll: readonly Factor[];
  chosen: readonly Placement[];
  factors: readonly Factor[];
}

/** What tells the arms of the whole study apart; where only one of them is asked about, what varies within it. */
export function usualBy(study: Shape | undefined, { ofAll, chosen, factors }: Choice): string[] {
  const usual = chooseBy(study, ofAll);
  const arms = new Set(chosen.map((run) => usual.map((name) => levelOf(run, name)).join("\x01")));
  return arms.size > 1 ? usual : factors.length > 0 ? chooseBy(undefined, factors) : usual;
}

/** The variant that the others are changes of. */
export function baseVariant(study: Shape | undefined, runs: readonly Placement[]): string {
  const there = new Set(runs.map(({ variant }) => variant));
  if (there.has("baseline")) return "baseline";
  const planned = study?.variants.map(({ name }) => name).find((name) => there.has(name));
  return planned ?? runs[0]!.variant;
}

/** The arms that the runs make, in the order of the study file, named by what they differ in. */
export class ArmIndex {
  readonly arms: DesignArm[];
  readonly by: readonly Column[];
  readonly #byKey: Map<string, DesignArm>;
  readonly #factors: Factor[];

  constructor(by: readonly Column[], study: Shape | undefined, runs: readonly Placement[]) {
    this.by = by;
    this.#factors = by.map(({ name }) => factorNamed(name, study, runs));
    const combinations = new Map<string, string[]>();
    for (const run of runs) {
      const levels = this.#levelsOf(run);
      const key = levels.join("\x01");
      if (!combinations.has(key)) combinations.set(key, levels);
    }
    const ordered = [...combinations.values()].sort((a, b) => this.#order(a, b));
    const names = this.#names(ordered);
    this.arms = ordered.map((levels, i) => ({ name: names[i]!, colour: i, levels }));
    this.#byKey = new Map(this.arms.map((arm) => [arm.levels.join("\x01"), arm]));
  }

  of(run: Placement): DesignArm {
    return this.#byKey.get(this.#levelsOf(run).join("\x01"))!;
  }

  /** The one arm that has these values; undefined where none or several do. */
  withValues(values: Params): DesignArm | undefined {
    const wanted = this.by.map(({ name }) => (Object.hasOwn(values, name) ? levelText(values[name]) : null));
    if (wanted.every((level) => level === null)) return undefined;
    const found = this.arms.filter(({ levels }) =>
      levels.every((level, i) => wanted[i] === null || wanted[i] === level),
    );
    return found.length === 1 ? found[0] : undefined;
  }

  /** The arm that a user means: by its name, by its values, or by a part of a name that fits one arm only. */
  called(text: string, option: string): DesignArm {
    const exact = this.arms.filter((arm) => this.#aliases(arm).includes(text));
    if (exact.length === 1) return exact[0]!;
    const like = this.arms.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
    if (like.length === 1) return like[0]!;
    const names = this.arms.map(({ name }) => name);
    throw new UserError(`${option} ${text}`, {
      expected: `one of ${names.slice(0, 20).join(", ")}`,
      got: like.length > 1 ? `a part of ${like.length} of them` : "none of them",
      remedy: suggestion(text, names),
    });
  }

  #levelsOf(run: Placement): string[] {
    return this.by.map(({ name, of }) => {
      const level = levelOf(run, name);
      return level === ABSENT ? ABSENT : of(level);
    });
  }

  #order(a: readonly string[], b: readonly string[]): number {
    for (const [i, { levels }] of this.#factors.entries()) {
      const difference = levels.indexOf(a[i]!) - levels.indexOf(b[i]!);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #word(level: string, i: number): string {
    return this.#factors[i]!.words.get(level) ?? (level === ABSENT ? "(none)" : level);
  }

  #names(combinations: readonly string[][]): string[] {
    const short = combinations.map((levels) => this.#shortName(levels));
    const isClear = new Set(short).size === short.length && !this.#sharesWords();
    return isClear ? short : combinations.map((levels) => this.#fullName(levels));
  }

  /** `full`, `rr, quantum=10`, `gpt-5, raw`: a word says what it is, a number does not. */
  #shortName(levels: readonly string[]): string {
    const parts = levels.flatMap((level, i) => {
      const { name } = this.by[i]!;
      if (levels.length > 1 && (level === ABSENT || (name === "variant" && level === "baseline"))) return [];
      const word = this.#word(level, i);
      return [this.#saysItself(i) ? word : `${name}=${word}`];
    });
    return parts.join(", ") || this.#fullName(levels);
  }

  #fullName(levels: readonly string[]): string {
    return levels.map((level, i) => `${this.by[i]!.name}=${this.#word(level, i)}`).join(", ");
  }

  #saysItself(i: number): boolean {
    const { isNumeric, levels } = this.#factors[i]!;
    return (
      !isNumeric &&
      levels.every((level) => level === ABSENT || !/^(-?[\d.]+(e-?\d+)?|true|false|null)$/i.test(level))
    );
  }

  /** Whether a word stands for levels of two factors, so that a bare word would not say which. */
  #sharesWords(): boolean {
    const words = this.#factors.flatMap(({ words }, i) =>
      this.#saysItself(i) ? [...words].filter(([level]) => level !== ABSENT).map(([, word]) => word) : [],
    );
    return new Set(words).size < words.length;
  }

  #aliases({ name, levels }: DesignArm): string[] {
    const bare = levels.length === 1 ? [levels[0]!, this.#word(levels[0]!, 0)] : [];
    return [name, this.#fullName(levels), ...bare];
  }
}

interface NestedQuestion {
  study: Shape | undefined;
  rest: readonly Factor[];
  own: readonly RunRecord[];
  all: readonly RunRecord[];
}

/**
 * An axis that only some arms have (`when: disc == 'rr'`) tells arms apart: it can't pair what lacks it. It stays out
 * where the baseline would then be several arms.
 */
export function withNested(book: ArmIndex, { study, rest, own, all }: NestedQuestion): ArmIndex {
  const nested = rest.filter(({ name, levels }) => levels.includes(ABSENT) && isNested(name, own, book));
  if (nested.length === 0) return book;
  const wide = new ArmIndex([...book.by, ...columnsOf(nested.map(({ name }) => name))], study, all);
  const declared = study?.analysis.baseline;
  return declared && book.withValues(declared) && !wide.withValues(declared) ? book : wide;
}

/** Whether some arms always lack it and others never do. */
function isNested(name: string, runs: readonly RunRecord[], book: ArmIndex): boolean {
  const seen = new Map<string, { has: boolean; lacks: boolean }>();
  for (const run of runs) {
    const arm = book.of(run).name;
    const state = seen.get(arm) ?? { has: false, lacks: false };
    if (levelOf(run, name) === ABSENT) state.lacks = true;
    else state.has = true;
    seen.set(arm, state);
  }
  const states = [...seen.values()];
  return states.some(({ has }) => !has) && states.some(({ lacks }) => !lacks);
}

/** Factors that vary within arms: those that arms share pair them, those that only some arms have are averaged. */
export function sortFactors(
  rest: readonly Factor[],
  runs: readonly RunRecord[],
  armOf: (run: RunRecord) => string,
): { blocks: string[]; averaged: string[] } {
  const blocks: string[] = [];
  const averaged: string[] = [];
  for (const { name } of rest) {
    const levels = new Map<string, Set<string>>();
    for (const run of runs) {
      const arm = armOf(run);
      const own = levels.get(arm) ?? new Set();
      levels.set(arm, own.add(levelOf(run, name)));
    }
    const sets = [...levels.values()];
    if (sets.every(({ size }) => size === 1)) continue;
    const isLacking = sets.some((own) => own.size === 1 && own.has(ABSENT));
    (isLacking && sets.some((own) => !own.has(ABSENT)) ? averaged : blocks).push(name);
  }
  return { blocks, averaged };
}
