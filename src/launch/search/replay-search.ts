import { canonicalJson } from "../../core/hash.ts";
import type { Params } from "../../core/params.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import type { Ledger } from "../../search/shared/ledger.ts";
import { PointBook, type PointRules } from "../../search/shared/point-book.ts";
import type { PreparedStudy } from "../prepare-study.ts";
import { earlyStopping } from "./early-stopping.ts";
import { joinSearch } from "./open-search.ts";
import { searchRules } from "./search-rules.ts";

export interface Replay {
  /** Points that the searcher proposed, and how many of them it proposes again. */
  asked: number;
  same: number;
  first: { number: number; was: Params; now: Params | null } | null;
  /** Points that a rule ended early, and how many of them it ends again, for the same reason. */
  ended: number;
  endedAgain: number;
}

/**
 * Asks the searcher again at each step of a search, with what it knew then: it must propose the same. So must the rule that ended
 * points early.
 */
export async function replaySearch(studyDir: string): Promise<Replay> {
  const { prepared, opened } = await joinSearch(studyDir);
  const { ledger } = opened;
  try {
    const rules = searchRules(prepared, ledger);
    const book = new PointBook(`${studyDir}/${STUDY_FILES.journal}`, rules());
    const cuts = ledger.cuts();
    const replay: Replay = { asked: 0, same: 0, first: null, ...replayEnds(prepared, ledger, rules()) };
    for (const point of ledger.pointsFrom(0)) {
      if (point.isAsked) {
        book.readOn(point.journalBytes);
        for (const cut of cuts)
          if (cut.number < point.number && cut.journalBytes <= point.journalBytes)
            book.cut(cut.number, cut.why);
        const now = rules().propose(book) ?? null;
        replay.asked++;
        if (now && canonicalJson(now) === canonicalJson(point.params)) replay.same++;
        else replay.first ??= { number: point.number, was: point.params, now };
      }
      book.addPoints([point]);
    }
    return replay;
  } finally {
    ledger.close();
  }
}

function replayEnds(
  prepared: PreparedStudy,
  ledger: Ledger,
  rules: PointRules,
): Pick<Replay, "ended" | "endedAgain"> {
  const cuts = ledger.cuts().toSorted((a, b) => a.journalBytes - b.journalBytes);
  if (cuts.length === 0) return { ended: 0, endedAgain: 0 };
  const isLost = earlyStopping(prepared, rules.runsOf)?.isLost;
  const book = new PointBook(`${prepared.studyDir}/${STUDY_FILES.journal}`, rules);
  book.addPoints(ledger.pointsFrom(0));
  let endedAgain = 0;
  for (const { number, why, journalBytes } of cuts) {
    book.readOn(journalBytes);
    const point = book.points.find((one) => one.number === number);
    if (point && isLost?.(point, book) === why) endedAgain++;
    book.cut(number, why);
  }
  return { ended: cuts.length, endedAgain };
}
