import type { Decision, Standoff } from "../../core/decider.ts";
import { numberText, plural } from "../../core/number-text.ts";
import type { StudyFollower } from "./follow-study.ts";

export function decisionOf(follower: StudyFollower): Decision {
  const { isDecided, isOver, done, noun } = follower;
  const of = follower.rounds.length;
  const pairs = follower.standoffs();
  const { alike } = follower;
  const proviso = alike === undefined ? "" : `, if these arms are like the ${alike} agents of the history`;
  const how = isDecided
    ? `Decided in ${done} of ${plural(of, noun)}`
    : isOver
      ? `Not decided after ${done} of ${plural(of, noun)}`
      : `Not decided yet, ${done} of ${plural(of, noun)}`;
  return {
    isDecided,
    isOver,
    rounds: done,
    of,
    noun,
    pairs,
    ...(alike !== undefined && { alike }),
    sentence: `${how}: ${pairs.map((pair) => pairText(pair, follower.isRate)).join("; ")}${proviso}.`,
  };
}

function pairText({ candidate, against, verdict, interval }: Standoff, isRate: boolean): string {
  const said = {
    better: `${candidate} is better than ${against}`,
    worse: `${candidate} is worse than ${against}`,
    greater: `${candidate} is higher than ${against}`,
    less: `${candidate} is lower than ${against}`,
    equal: `${candidate} and ${against} differ by less than the margin`,
    futile: `${candidate} against ${against} is not worth more runs: a difference of the margin would have shown`,
    open: `${candidate} against ${against} is open`,
  }[verdict ?? "open"];
  if (interval === null) return said;
  const { estimate, low, high, level } = interval;
  // A study stops where an end is hardly beyond 0: it must not be rounded to it.
  const text = (x: number) => `${x > 0 ? "+" : ""}${numberText(isRate ? 100 * x : x, 3)}`;
  const difference = `${text(estimate)}${isRate ? " points" : ""} [${text(low)}, ${text(high)}]`;
  return `${said} (difference ${difference}, ${numberText(100 * level)} % at every look)`;
}
