import type { Params } from "../../core/params.ts";
import type { Run } from "../../core/run.ts";
import type { Ending } from "../../core/space.ts";
import type { Held, Pending } from "../../engine/run-study.ts";
import type { Ledger } from "./ledger.ts";
import type { PointBook, PointState } from "./point-book.ts";

/** Says which point comes next, from all that is known; undefined ends the search. */
export type Propose = (book: PointBook) => Params | undefined;

export interface SourceSetting {
  ledger: Ledger;
  book: PointBook;
  propose: Propose;
  runsOf(params: Params): Iterable<Run>;
  /** Whether this run must still be done, given what is known of it. */
  isDue(run: Run): boolean;
  /** This worker takes at most so many runs. */
  most: number;
  /** Why the other runs of a point are not worth doing, going by those that have ended. */
  isLost?(point: PointState, book: PointBook): string | undefined;
  /** So many points take turns, run by run; without it, one is handed out after the other. */
  field?: number;
  /** Why no further point should be proposed; undefined while one may. */
  isEnough(book: PointBook): Ending | undefined;
  /** Why no further run may start: all workers together have spent what they may. */
  isSpent?(book: PointBook): string | undefined;
  /** Another text when the space has changed, so that points and their runs are to be found anew. */
  version?(): string | undefined;
}

/** Hands out the runs of a search, each to one worker: first what a dead worker left, then what is open, then new points; in a race, new points until the field is full. */
export class RunSource {
  readonly #setting: SourceSetting;
  readonly #walks = new Map<number, Walk>();
  #firstOpen = 0;
  /** Points without a run to hand out. */
  readonly #through = new Set<number>();
  #taken = 0;
  #version: string | undefined;
  ending: Ending | undefined;

  constructor(setting: SourceSetting) {
    this.#setting = setting;
  }

  /** A run to do; "later" while others may still leave some; undefined when there is nothing more to do. */
  next(): Pending | Held | "later" | undefined {
    const { ledger, book, most, isSpent } = this.#setting;
    if (this.#taken >= most) return undefined;
    return ledger.exclusively(() => {
      this.lookAgain();
      if (ledger.state === "paused") return "later";
      const run =
        this.#left() ??
        (this.#setting.field ? this.#byTurns(this.#setting.field) : this.#open()) ??
        this.#new();
      if (!run) return ledger.countClaims() > 0 ? "later" : undefined;
      const why = isSpent?.(book);
      if (why !== undefined) {
        ledger.giveBack(run);
        return { stopped: "budget", why };
      }
      this.#taken++;
      return this.#pendingOf(run);
    });
  }

  #pendingOf(run: Run): Pending {
    const { book } = this.#setting;
    const cancelled = book.cancelledAttempts(run);
    if (cancelled !== undefined) return { run, reason: "cancelled before", attemptsBefore: cancelled };
    const before = book.resultOf(run);
    const reason = before ? `${before.outcome.status} before` : "new";
    return { run, reason, attemptsBefore: before?.attempt ?? 0 };
  }

  /** Learns what others have proposed and recorded. */
  lookAgain(): void {
    const { ledger, book } = this.#setting;
    const version = this.#setting.version?.();
    const isOther = version !== this.#version;
    if (isOther) {
      book.startOver();
      this.#walks.clear();
      this.#through.clear();
      this.#firstOpen = 0;
      this.#version = version;
    }
    book.addPoints(ledger.pointsFrom(book.known));
    book.readOn();
    if (this.#setting.isLost) for (const { number, why } of ledger.cuts()) book.cut(number, why);
    // With another space a search may get as far as it never did.
    if (isOther) book.startLaunch();
  }

  /** What a dead worker had taken, unless it had recorded it just before it died. */
  #left(): Run | undefined {
    const { ledger, isDue } = this.#setting;
    for (;;) {
      const run = ledger.takeLeft();
      if (!run || isDue(run)) return run;
      ledger.release(run);
    }
  }

  #open(): Run | undefined {
    const { book } = this.#setting;
    for (let i = this.#firstOpen; i < book.points.length; i++) {
      const run = this.#handOut(book.points[i]!);
      if (run) return run;
      if (i === this.#firstOpen) this.#firstOpen++;
    }
    return undefined;
  }

  /** A run of the point that is least far, once as many points are open as race at a time. */
  #byTurns(field: number): Run | undefined {
    const { book, ledger } = this.#setting;
    const open = book.points.filter(({ number }) => !this.#through.has(number));
    const isFull = open.filter(({ cut }) => cut === undefined).length >= field;
    const run = isFull ? undefined : this.#new();
    if (run) return run;
    const far = new Map(open.map(({ number }) => [number, ledger.handedOf(number)]));
    for (const point of open.sort((a, b) => far.get(a.number)! - far.get(b.number)!)) {
      const next = this.#handOut(point);
      if (next) return next;
      this.#through.add(point.number);
    }
    return undefined;
  }

  #new(): Run | undefined {
    const { ledger, book, propose, isEnough } = this.#setting;
    if (ledger.state === "finished") {
      this.ending = { why: "it was finished by hand" };
      return undefined;
    }
    // A point may have nothing to do: the journal knows its runs from an earlier search.
    for (;;) {
      this.ending = isEnough(book);
      if (this.ending) return undefined;
      const params = propose(book);
      if (params === undefined) {
        this.ending = { why: "there is no further point" };
        return undefined;
      }
      const number = book.known;
      ledger.addPoint({ number, params, journalBytes: book.journalBytes, isAsked: true, handed: 0 });
      this.lookAgain();
      const point = book.points.at(-1);
      if (point?.number !== number)
        throw new Error(`the searcher proposed ${JSON.stringify(params)}, which is outside its space`);
      const run = this.#handOut(point);
      if (run) return run;
    }
  }

  /** The next due run of a point, passing over those that others got. */
  #handOut(point: PointState): Run | undefined {
    const { ledger, book, runsOf, isDue, isLost } = this.#setting;
    const { number, params } = point;
    const why = point.cut ?? isLost?.(point, book);
    if (why !== undefined) {
      if (point.cut === undefined) ledger.cutPoint({ number, why, journalBytes: book.journalBytes });
      book.cut(number, why);
      return undefined;
    }
    const walk = this.#walks.get(number) ?? { at: 0, runs: runsOf(params)[Symbol.iterator]() };
    this.#walks.set(number, walk);
    const handed = ledger.handedOf(number);
    for (;;) {
      const { value: run, done } = walk.runs.next();
      if (done) {
        this.#walks.delete(number);
        if (walk.at > handed) ledger.setHanded(number, walk.at);
        return undefined;
      }
      walk.at++;
      // Points that are looked through again have runs that somebody is at.
      if (walk.at <= handed || !isDue(run) || ledger.isTaken(run)) continue;
      ledger.setHanded(number, walk.at);
      ledger.take(run);
      return run;
    }
  }
}

interface Walk {
  at: number;
  runs: Iterator<Run>;
}
