import type { Deviation } from "../core/plan-lock.ts";
import type { Analysis } from "../core/study.ts";
import type { Question, Standing } from "./standing.ts";
import { comparedAs } from "./statistic.ts";

/** A plan that was locked before the first run, and what became of it. */
export interface Locked {
  at: string;
  hash: string;
  analysis: Analysis;
  /** Locks of the same question that were run before this one. */
  earlier: readonly { at: string; where: string }[];
  /** Oldest first: changes of the plan, runs that were done again, results that went missing. */
  deviations: readonly Deviation[];
}

/** How an answer of a locked study stands: planned where it is the plan's question, asked of the plan's runs, all of them. */
export function lockedStanding(locked: Locked, question: Question): Standing {
  const { past, ask } = question;
  const unplanned = unplannedWords(locked, question);
  const lock = { at: locked.at, hash: locked.hash, deviations: locked.deviations };
  const say = (why: string): Standing => ({ status: "exploratory", why, lock });
  if (unplanned !== undefined) {
    const others = new Set((past?.looks ?? []).flatMap(({ asked }) => (asked === undefined ? [] : [asked])));
    if (ask.asked !== undefined) others.add(ask.asked);
    return { ...say(`the plan locked at ${locked.at} ${unplanned}`), questions: others.size };
  }
  const [first] = locked.earlier;
  if (first)
    return say(
      `this is try ${locked.earlier.length + 1} at the same question: it was locked before at ${first.at} (${first.where})`,
    );
  if (locked.deviations.length > 0)
    return say(
      `${locked.deviations.length === 1 ? "one deviation" : `${locked.deviations.length} deviations`} from the plan locked at ${locked.at}`,
    );
  if (locked.analysis.decide)
    return say(
      "the locked plan decides as it goes, so the decision is its answer, and this one is beside it",
    );
  const total = past?.total ?? 0;
  if (question.done < total)
    return say(`a look before the end: ${question.done} of ${total} locked runs are there`);
  return { status: "planned", why: `it was locked at ${locked.at}, before the first run`, lock };
}

/** How the decision of a locked study stands that decides as it goes. */
export function decisionStanding(locked: Locked | undefined): Standing | null {
  if (!locked?.analysis.decide) return null;
  const lock = { at: locked.at, hash: locked.hash, deviations: locked.deviations };
  const isKept = locked.earlier.length === 0 && locked.deviations.length === 0;
  return isKept
    ? {
        status: "planned",
        why: `it was locked at ${locked.at}, before the first run, and holds at every look`,
        lock,
      }
    : {
        status: "exploratory",
        why:
          locked.earlier.length > 0
            ? "the same question was locked and run before"
            : "the study deviates from its locked plan",
        lock,
      };
}

/** In what a question is not the plan's; undefined where it is. */
function unplannedWords(
  locked: Locked,
  { metric, ask, runs, isBaselineDeclared, arms }: Question,
): string | undefined {
  const { analysis } = locked;
  const records = runs.map(({ record }) => record);
  if (analysis.metric !== metric && comparedAs(analysis.metric!, records).name !== metric)
    return `names ${analysis.metric} as its metric, not ${metric}`;
  if (ask.where !== undefined || ask.per !== undefined) return "is about all of its runs, not about a part";
  if (ask.by !== undefined || ask.pair !== undefined || ask.task !== undefined)
    return "has other arms or pairs";
  const isOther =
    analysis.baseline === undefined ? ask.baseline !== undefined : arms > 1 && !isBaselineDeclared;
  if (isOther) return "has another baseline";
  return ask.asked === undefined ? undefined : `doesn't have ${ask.asked}`;
}
