import type { Search } from "../../core/space.ts";
import type { Study } from "../../core/study.ts";
import { isEnough } from "../../engine/sweep/is-enough.ts";
import type { Ledger } from "../../engine/sweep/ledger.ts";
import type { PointBook } from "../../engine/sweep/point-book.ts";
import { proposeWith } from "../../engine/sweep/propose.ts";
import type { Ending, Propose } from "../../engine/sweep/sweep-source.ts";
import { checkSearch } from "../../launch/check-search.ts";
import type { PreparedStudy } from "../../launch/prepare-study.ts";
import { searchers } from "../../searchers/index.ts";

interface Rules {
  study: Study;
  propose: Propose;
  isEnough(book: PointBook): Ending | undefined;
}

/** How the next point is found, by the search as it is now: somebody may change it while workers are at it. */
export function sweepRules(prepared: PreparedStudy, ledger: Ledger): () => Rules {
  let text: string | undefined;
  let rules: Rules;
  return () => {
    const now = ledger.fact("search");
    if (now !== text) {
      text = now;
      rules = makeRules(prepared, prepared.study.search && (JSON.parse(now!) as Search));
    }
    return rules;
  };
}

function makeRules(prepared: PreparedStudy, search: Search | undefined): Rules {
  // A matrix is a search with one point: all of its runs.
  if (!search)
    return {
      study: prepared.study,
      propose: ({ points }) => (points.length === 0 ? {} : undefined),
      isEnough: () => undefined,
    };
  return {
    study: { ...prepared.study, search },
    propose: proposeWith(searchers[search.method]!, checkSearch(prepared, search), search),
    isEnough: isEnough(search, prepared.study.limits),
  };
}
