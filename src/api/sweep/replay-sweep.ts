import { canonicalJson } from "../../core/hash.ts";
import type { Params } from "../../core/params.ts";
import { PointBook } from "../../engine/sweep/point-book.ts";
import { joinSweep } from "./join-sweep.ts";
import { sweepRules } from "./sweep-rules.ts";

export interface Replay {
  /** Points that the searcher proposed, and how many of them it proposes again. */
  asked: number;
  same: number;
  first: { number: number; was: Params; now: Params | null } | null;
}

/** Asks the searcher again at each step of a sweep, with what it knew then: it must propose the same. */
export async function replaySweep(studyDir: string): Promise<Replay> {
  const { prepared, sweep } = await joinSweep(studyDir);
  const { ledger } = sweep;
  try {
    const rules = sweepRules(prepared, ledger);
    const book = new PointBook(`${studyDir}/journal.jsonl`, rules());
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
