import { errorText } from "../../../core/errors.ts";
import { readPlainFile } from "../read-plain-file.ts";

const MOST_BYTES = 1 << 20;

export interface Reward {
  /** Between 0 and 1. */
  value: number;
  /** Further numbers that stood beside it. */
  others: Record<string, number>;
  warnings: string[];
}

/** A test left none, or something that is none. */
export class NoReward extends Error {
  override name = "NoReward";
}

/** What a test of the kind "reward" left in `verifier/` of its logs. A NoReward where that is missing or none. */
export function readReward(logsDir: string): Reward {
  const json = readPlainFile(`${logsDir}/verifier/reward.json`, MOST_BYTES);
  const text = readPlainFile(`${logsDir}/verifier/reward.txt`, MOST_BYTES);
  if (json === undefined && text === undefined)
    throw new NoReward("the test left no reward (/logs/verifier/reward.txt or reward.json)");
  const { value, others } = json === undefined ? { value: numberOf(text!), others: {} } : fromJson(json);
  const inRange = Math.min(1, Math.max(0, value));
  const warnings =
    inRange === value ? [] : [`the reward ${value} is not between 0 and 1: taken as ${inRange}`];
  return { value: inRange, others, warnings };
}

/** `{reward}` says it; several keys without it are several rewards, of which the mean counts. */
function fromJson(text: string): Omit<Reward, "warnings"> {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new NoReward(`reward.json is no JSON: ${errorText(error)}`);
  }
  if (typeof given === "number") return { value: numberOf(String(given)), others: {} };
  if (typeof given !== "object" || given === null) throw new NoReward("reward.json holds no numbers");
  const numbers = Object.entries(given).filter(
    ([, value]) => typeof value === "number" && Number.isFinite(value),
  );
  const { reward, ...others } = Object.fromEntries(numbers) as Record<string, number>;
  if (reward !== undefined) return { value: reward, others };
  const rest = Object.values(others);
  if (rest.length === 0) throw new NoReward("reward.json holds no numbers");
  return { value: rest.reduce((sum, value) => sum + value, 0) / rest.length, others };
}

function numberOf(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value))
    throw new NoReward(`the reward is not a number: ${JSON.stringify(text.trim().slice(0, 80))}`);
  return value;
}
