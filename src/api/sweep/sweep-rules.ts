import type { Params } from "../../core/params.ts";
import type { Run } from "../../core/run.ts";
import type { Search } from "../../core/space.ts";
import type { Study } from "../../core/study.ts";
import { isEnough } from "../../engine/sweep/is-enough.ts";
import type { Ledger } from "../../engine/sweep/ledger.ts";
import type { PointBook } from "../../engine/sweep/point-book.ts";
import { proposeWith } from "../../engine/sweep/propose.ts";
import type { Ending, Propose } from "../../engine/sweep/sweep-source.ts";
import { checkSearch } from "../../launch/check-search.ts";
import type { PreparedStudy } from "../../launch/prepare-study.ts";
import { placeInSpace } from "../../plan/admits-point.ts";
import { Plan } from "../../plan/plan.ts";
import { studyAt } from "../../plan/study-at.ts";
import { searchers } from "../../searchers/index.ts";

interface Rules {
  /** Another one when the search has been changed. */
  version: string | undefined;
  study: Study;
  runsOf(params: Params): Iterable<Run>;
  pointIn(params: Params): Params | undefined;
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
      const search = prepared.study.search && (JSON.parse(now!) as Search);
      rules = { version: now, ...(search ? rulesOf(prepared, search) : rulesOfMatrix(prepared)) };
    }
    return rules;
  };
}

function rulesOf(prepared: PreparedStudy, search: Search): Omit<Rules, "version"> {
  const study = { ...prepared.study, search };
  return {
    study,
    runsOf: (params) => planAt(prepared, studyAt(study, params)).runs(),
    pointIn: placeInSpace(study, search),
    propose: proposeWith(searchers[search.method]!, checkSearch(prepared, search), search),
    isEnough: isEnough(search),
  };
}

/** A matrix is a search with one point: all of its runs. */
function rulesOfMatrix(prepared: PreparedStudy): Omit<Rules, "version"> {
  const { study } = prepared;
  return {
    study,
    runsOf: () => planAt(prepared, study).runs(),
    pointIn: () => ({}),
    propose: ({ points }) => (points.length === 0 ? {} : undefined),
    isEnough: () => undefined,
  };
}

function planAt({ program, redactor }: PreparedStudy, study: Study): Plan {
  return new Plan(study, program, redactor.text);
}
