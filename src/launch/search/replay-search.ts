import { canonicalJson } from "../../core/hash.ts";
import type { Params } from "../../core/params.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import { PointBook } from "../../search/shared/point-book.ts";
import { joinSearch } from "./open-search.ts";
import { searchRules } from "./search-rules.ts";

export interface Replay {
  /** Points that the searcher proposed, and how many of them it proposes again. */
  asked: number;
  same: number;
  first: { number: number; was: Params; now: Params | null } | null;
}

/** Asks the searcher again at each step of a search, with what it knew then: it must propose the same. */
export async function replaySearch(studyDir: string): Promise<Replay> {
  const { prepared, opened } = await joinSearch(studyDir);
  const { ledger } = opened;
  try {
    const rules = searchRules(prepared, ledger);
    const book = new PointBook(`${studyDir}/${STUDY_FILES.journal}`, rules());
    const cuts = ledger.cuts();
    const replay: Replay = { asked: 0, same: 0, first: null };
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
