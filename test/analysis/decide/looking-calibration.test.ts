import { expect, test } from "vitest";
import { Race } from "../../../src/analysis/decide/race.ts";
import { RandomStream } from "../../../src/core/random.ts";
import { TaskOrder } from "../../../src/stats/duels/task-order.ts";
import { type Draw, normalQuantile } from "../../../src/stats/index.ts";

/**
 * A study that decides as it goes, of arms that don't differ, looked at after every run: how often it claims anything.
 * STUDIES=2000 in the environment makes the table of docs/statistics.md; CI has less time.
 */
const STUDIES = Number(process.env.STUDIES ?? 300);
const ALPHA = 0.05;
const ROUNDS = 200;

/** `shared` and `own` are uniform: what a round gives all arms alike, and what it gives one. */
const OUTCOMES = {
  "0/1": (shared: number, own: number) => (own < shared ** 2 ? 1 : 0),
  // Most values near an end of the range, where bets win and lose most.
  bounded: (shared: number, own: number) => 0.2 * shared + 0.8 * Math.sin((Math.PI * own) / 2) ** 2,
  lognormal: (shared: number, own: number) => Math.exp(normalQuantile(shared) + normalQuantile(own)),
};

const GRID = Object.keys(OUTCOMES).flatMap((kind) =>
  [true, false].flatMap((isPaired) =>
    [2, 10].flatMap((arms) =>
      (kind === "lognormal" ? [false] : isPaired ? [true, false] : [false]).map((isSet) => ({
        ...{ kind: kind as keyof typeof OUTCOMES, isPaired, arms, isSet, byHistory: false, isAlike: false },
      })),
    ),
  ),
);
/** Sets of tasks that are drawn by how easy they are. */
const WITH_HISTORY = GRID.filter(({ isSet }) => isSet).map((one) => ({ ...one, byHistory: true }));
/** The same where arms are counted on to be like earlier agents, as these are. */
const ALIKE = WITH_HISTORY.map((one) => ({ ...one, isAlike: true }));

test.each([...GRID, ...WITH_HISTORY, ...ALIKE])(
  "claims falsely in at most alpha of studies: %o",
  (setting) => {
    const { kind, isPaired, arms, isSet, byHistory, isAlike } = setting;
    let wrong = 0;
    for (let study = 0; study < STUDIES; study++) wrong += Number(claims(study, setting));
    const share = wrong / STUDIES;
    if (process.env.STUDIES)
      console.log(
        `| ${kind} | ${isPaired ? "paired" : "not paired"} | ${arms} | ${isSet ? "all tasks of a set" : "draws"}${isAlike ? ", of arms like earlier ones" : byHistory ? ", by history" : ""} | ${STUDIES} | ${share.toFixed(3)} |`,
      );
    expect(share).toBeLessThanOrEqual(ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / STUDIES));
  },
);

/** Whether any pair of arms is ever told apart. */
function claims(
  study: number,
  { kind, isPaired, arms, isSet, byHistory, isAlike }: (typeof GRID)[number],
): boolean {
  const next = new RandomStream(study, `looking ${kind} ${isPaired} ${arms} ${isSet}`).sequence();
  const names = Array.from({ length: arms }, (_, i) => `arm ${i}`);
  const all = rounds();
  // As telling as history can be: what all arms together make of each task.
  const easiness = all.map((values) => {
    const solved = (values.reduce((a, b) => a + b, 0) + 0.5) / (arms + 1);
    return Math.log(solved / (1 - solved));
  });
  const race = new Race({
    ...{ arms: names, baseline: null, goal: "maximize", alpha: ALPHA },
    size: isSet ? ROUNDS : Number.POSITIVE_INFINITY,
    width: kind === "lognormal" ? undefined : 1,
    likeness: isAlike ? { easiness, temper: 1 } : undefined,
  });
  const isTold = (values: readonly number[], draw?: Draw) => {
    race.add(new Map(values.map((value, i) => [names[i]!, value])), draw);
    return race.duels.some(({ duel }) => duel.verdict !== null);
  };
  if (!byHistory) return all.some((values) => isTold(values));
  const order = new TaskOrder(easiness, new RandomStream(study, "looking by history"));
  for (let done = 0; done < ROUNDS; done++) {
    if (done === order.draws.length) {
      const seen = names.map((_, i) => order.draws.map(({ index }) => all[index]![i]!));
      order.extend(
        race.duels.map(({ candidate, against, duel }) => ({
          values: [seen[names.indexOf(candidate)]!, seen[names.indexOf(against)]!] as const,
          duel,
        })),
      );
    }
    const draw = order.draws[done]!;
    if (isTold(all[draw.index]!, draw)) return true;
  }
  return false;

  function rounds(): number[][] {
    const drawn = Array.from({ length: ROUNDS }, () => {
      const common = next();
      return names.map(() => OUTCOMES[kind](isPaired ? common : next(), next()));
    });
    if (!isSet) return drawn;
    // Of a finite set the arms' totals must be equal: each round has a twin in which the arms' outcomes change places.
    const half = drawn.slice(0, ROUNDS / 2);
    const all = arms === 2 ? [...half, ...half.map((values) => values.toReversed())] : levelled(drawn);
    return shuffled(all, next);
  }
}

/** Rounds whose outcomes are handed round among the arms, so that each arm has the same total. */
function levelled(drawn: readonly number[][]): number[][] {
  const arms = drawn[0]!.length;
  return drawn.map((_, t) => {
    const values = drawn[Math.floor(t / arms) * arms]!;
    return values.map((_, i) => values[(i + t) % arms]!);
  });
}

function shuffled<T>(list: readonly T[], next: () => number): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}
