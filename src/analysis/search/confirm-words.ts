import { numberText, plural, rangeText } from "../../core/number-text.ts";
import type { Objective } from "../../core/space.ts";
import type { Confirmation, ConfirmedPoint } from "./confirm-points.ts";
import { lossOf } from "./rank-points.ts";

/** What the confirmation says, the verdict first. `first` is the point that the search held to be best. */
export function confirmWords(
  confirmation: Confirmation,
  { objectives, first, unit = "" }: { objectives: readonly Objective[]; first: string; unit?: string },
): string[] {
  const lines = [
    objectives.length === 1
      ? verdictOf(confirmation, objectives[0]!, first)
      : frontOf(confirmation, objectives),
  ];
  const winner = confirmation.points.find(({ name }) => name === first);
  for (const [k, { metric }] of objectives.entries())
    if (winner) lines.push(optimismWords(winner, { k, metric, unit: k === 0 ? unit : "" }));
  for (const { name, keepsConstraints, n } of confirmation.points)
    if (!keepsConstraints && n > 0) lines.push(`${name} misses the constraints on fresh seeds.`);
  return lines;
}

function verdictOf({ points, compared, baseline }: Confirmation, { goal }: Objective, first: string): string {
  const known = points.filter(({ fresh }) => fresh[0] !== null);
  const loss = ({ fresh }: ConfirmedPoint) => lossOf(fresh[0]!, { goal });
  const best = known.toSorted((a, b) => loss(a) - loss(b))[0];
  if (!best || !known.some(({ name }) => name === first))
    return `Not confirmed: ${first} gave no value on fresh seeds.`;
  if (!compared || points.length === 1)
    return `${first} was measured again on ${plural(best.n, "fresh seed")}.`;
  if (known.every(({ intervals, n }) => n > 1 && !intervals[0]!.known))
    return `${best.name === first ? `Confirmed: ${first} has` : `Not confirmed: ${best.name} has`} the best value; seeds make no difference to any of these points.`;
  // Verdicts are about the candidate against the baseline.
  const against = (name: string) =>
    compared.comparisons.find(({ candidate }) => candidate.name === name)?.verdict ?? "unknown";
  if (baseline !== first)
    return best.name === first
      ? `${first} has the best mean on fresh seeds, too; against ${baseline} it is ${plainly(against(first))}.`
      : `${best.name} has the best mean on fresh seeds; ${first}, the search's best, is ${plainly(against(first))} against ${baseline}.`;
  const others = points.filter(({ name }) => name !== first).map(({ name }) => name);
  const better = others.filter((name) => against(name) === "better");
  const open = others.filter((name) => against(name) !== "better" && against(name) !== "worse");
  if (better.length > 0)
    return `Not confirmed: on fresh seeds ${better.join(" and ")} ${better.length === 1 ? "is" : "are"} better than ${first}, for sure.`;
  if (open.length === 0)
    return `Confirmed: on fresh seeds ${first} is better than ${others.join(" and ")}, for sure.`;
  const lead = best.name === first ? `${first} stays first` : `${best.name} has the best mean on fresh seeds`;
  const apart = best.name === first ? open : [first];
  return `${lead}, but ${apart.join(" and ")} can't be told apart from it with ${plural(best.n, "seed")}${best.name === first ? "" : ": take either"}.`;
}

/** Which of the points no other beats in everything, on fresh seeds. */
function frontOf({ points }: Confirmation, objectives: readonly Objective[]): string {
  const known = points.filter(({ fresh }) => fresh.every((value) => value !== null));
  if (known.length === 0) return "Nothing is confirmed: no point gave all values on fresh seeds.";
  const losses = ({ fresh }: ConfirmedPoint) => fresh.map((value, k) => lossOf(value!, objectives[k]!));
  const beats = (a: readonly number[], b: readonly number[]) =>
    a.every((loss, k) => loss <= b[k]!) && a.some((loss, k) => loss < b[k]!);
  const front = known.filter((point) => !known.some((other) => beats(losses(other), losses(point))));
  const names = front.map(({ name }) => name).join(", ");
  return front.length === points.length
    ? `All ${plural(points.length, "point")} stay on the front among themselves on fresh seeds, by their means.`
    : `On fresh seeds ${names} ${front.length === 1 ? "is" : "are"} on the front of these ${points.length} points, by their means.`;
}

/** Means of equal values differ in their last bit. */
function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

function plainly(verdict: string): string {
  return verdict === "better" || verdict === "worse" ? `${verdict}, for sure` : "not told apart";
}

function optimismWords(
  { name, searched, fresh, optimism, intervals, n }: ConfirmedPoint,
  { k, metric, unit }: { k: number; metric: string; unit: string },
): string {
  const [said, now, off, interval] = [searched[k], fresh[k], optimism[k]!, intervals[k]!];
  if (now === null || now === undefined)
    return `${name}: ${metric} on fresh seeds is unknown: no run gave a value.`;
  const mean = interval.known
    ? rangeText({ value: now, low: interval.low, high: interval.high }, { unit })
    : `${numberText(now)}${unit}`;
  const measured = `${name}: the search said ${metric} ${said === undefined ? "nothing" : `${numberText(said)}${unit}`}, ${plural(n, "fresh seed")} say ${mean}`;
  if (!off.known && said !== undefined && isSame(said, now) && n > 1)
    return `${measured}: the same, since seeds make no difference to it.`;
  if (!off.known) return `${measured}. How far the search was off has no interval, because ${off.why}.`;
  const isSure = off.low > 0 || off.high < 0;
  const size = rangeText(off, { unit, signed: false });
  if (!isSure) return `${measured}: whether the search was optimistic can't be told (by ${size}).`;
  return off.value > 0
    ? `${measured}: the search was optimistic by ${size}.`
    : `${measured}: the search was too modest, by ${rangeText({ value: -off.value, low: -off.high, high: -off.low }, { unit })}.`;
}
