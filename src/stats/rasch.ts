/** Keeps a task that everybody solved, or nobody, at a finite easiness: so much of a doubt for each. */
const RIDGE = 0.3;
/** The spread of abilities that an agent is expected to be within before it has shown any. */
const ABILITY_VARIANCE = 4;
const ROUNDS = 8;
/** An ability that moves by less has been found. */
const CLOSE = 1e-3;
/** The longest step of either in one round. */
const LONGEST_STEP = 2;

/** The chance that an agent of this ability solves a task of this easiness. */
export function solveChance(ability: number, easiness: number): number {
  return 1 / (1 + Math.exp(-ability - easiness));
}

/**
 * How easy each task is, on the scale on which the agents' mean ability is 0, from what agents (rows) made of tasks
 * (columns): 0 to 1, or null where an agent did not try. By joint maximum likelihood with a small penalty.
 * Source: G. Rasch, "Probabilistic models for some intelligence and attainment tests" (1960); B. D. Wright and
 * N. Panchapakesan, Educ. Psychol. Meas. 29 (1969), 23-48 (the estimate). O(agents × tasks).
 */
export function taskEasiness(outcomes: readonly ArrayLike<number | null>[]): number[] {
  const tasks = outcomes[0]?.length ?? 0;
  const easiness = new Array<number>(tasks).fill(0);
  const abilities = new Array<number>(outcomes.length).fill(0);
  const pull = new Float64Array(tasks);
  const weight = new Float64Array(tasks);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < tasks; i++) pull[i] = -RIDGE * easiness[i]!;
    weight.fill(RIDGE);
    for (const [a, row] of outcomes.entries())
      for (let i = 0; i < tasks; i++) {
        const value = row[i] ?? null;
        if (value === null) continue;
        const p = solveChance(abilities[a]!, easiness[i]!);
        pull[i]! += value - p;
        weight[i]! += p * (1 - p);
      }
    for (let i = 0; i < tasks; i++) easiness[i]! += step(pull[i]! / weight[i]!);
    for (const [a, row] of outcomes.entries()) abilities[a]! += abilityStep(abilities[a]!, row, easiness);
  }
  const mean = abilities.reduce((sum, ability) => sum + ability, 0) / Math.max(1, abilities.length);
  return easiness.map((one) => one + mean);
}

/** The ability of an agent that made so much (0 to 1) of tasks whose easiness is known; 0 where it tried none. */
export function agentAbility(values: readonly number[], easiness: readonly number[]): number {
  let ability = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const change = abilityStep(ability, values, easiness);
    ability += change;
    if (Math.abs(change) < CLOSE) break;
  }
  return ability;
}

function abilityStep(ability: number, values: ArrayLike<number | null>, easiness: ArrayLike<number>): number {
  let pull = -ability / ABILITY_VARIANCE;
  let weight = 1 / ABILITY_VARIANCE;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? null;
    if (value === null) continue;
    const p = solveChance(ability, easiness[i]!);
    pull += value - p;
    weight += p * (1 - p);
  }
  return step(pull / weight);
}

function step(wanted: number): number {
  return Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, wanted));
}
