import { rmSync } from "node:fs";
import { UserError } from "../../core/errors.ts";
import type { LiveState } from "../../core/live-state.ts";
import type { Redactor } from "../../core/redact.ts";
import { STUDY_FILES } from "../../core/study-folder.ts";
import { type Control, ControlFolder } from "../../engine/steering.ts";
import { replaceFile } from "../../host/files.ts";
import { Lock } from "../../host/lock.ts";
import { isAlive, isClusters, markOf, readMark, reapMarked } from "../../host/processes.ts";
import type { Ledger } from "../../search/shared/ledger.ts";
import type { PointBook } from "../../search/shared/point-book.ts";

const TEND_MS = 500;
const BEAT_MS = 5000;
const MOST_SHOWN = 100;

interface Tended {
  studyDir: string;
  ledger: Ledger;
  book: PointBook;
  /** Learns what others have done. */
  look(): void;
  /** Runs in all, by the search as it is now. */
  total(): number;
  redactor: Redactor;
}

/**
 * What the workers of a search do for all of them: one holds the study's lock, says in live.json how far the search is
 * and takes requests from outside; when it dies another one steps in. Each one looks for dead ones, ends the programs
 * that those left running, and puts their runs back.
 */
export class SearchKeeper implements Control {
  readonly #tended: Tended;
  readonly #timer: NodeJS.Timeout;
  readonly #startedAtMs = Date.now();
  readonly #before: { ok: number; failed: number };
  #lock: Lock | undefined;
  #requests: ControlFolder | undefined;
  #onRequest: Parameters<Control["listen"]>[0] = () => {};
  #seenCancel: string | undefined;
  #tending: Promise<void> | undefined;
  #beat = performance.now();

  private constructor(tended: Tended) {
    this.#tended = tended;
    this.#before = { ...tended.book.ended };
    this.#seenCancel = tended.ledger.fact("cancel");
    this.#timer = setInterval(() => void this.#tend(), TEND_MS);
    this.#timer.unref();
  }

  /** Refused where something that is no worker of this search runs the study. */
  static async start(tended: Tended): Promise<SearchKeeper> {
    const keeper = new SearchKeeper(tended);
    const refusal = await keeper.#takeLock();
    if (refusal && tended.ledger.others().length === 0) {
      await keeper.close();
      throw refusal;
    }
    await keeper.#tend();
    return keeper;
  }

  listen(onRequest: Parameters<Control["listen"]>[0]): void {
    this.#onRequest = onRequest;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // It may be taking the lock.
    await this.#tending;
    this.#requests?.close();
    if (!this.#lock) return;
    rmSync(`${this.#tended.studyDir}/${STUDY_FILES.live}`, { force: true });
    this.#lock.release();
  }

  #tend(): Promise<void> {
    this.#tending ??= this.#lookAround().finally(() => {
      this.#tending = undefined;
    });
    return this.#tending;
  }

  async #lookAround(): Promise<void> {
    const { ledger, studyDir, look } = this.#tended;
    try {
      if (performance.now() - this.#beat > BEAT_MS) {
        ledger.exclusively(() => ledger.beat());
        this.#beat = performance.now();
      }
      const dead = ledger.dead().map(markOf);
      if (dead.length > 0) {
        // First end what they left running: whoever takes over a run must have its folder alone.
        await reapMarked({ studyDir }, (found) => {
          const living = readMark(found.runner ?? "");
          const isOthers = living !== undefined && isAlive(living) && !dead.includes(markOf(living));
          return isClusters(found) || isOthers;
        });
        ledger.exclusively(() => ledger.buryDead());
      }
      look();
      await this.#takeLock();
      this.#passOnCancel();
      if (this.#lock) this.#writeLive();
    } catch {
      // The folder was moved or deleted under us; the journal will say so.
    }
  }

  async #takeLock(): Promise<UserError | undefined> {
    if (this.#lock) return undefined;
    const { studyDir, ledger, redactor } = this.#tended;
    try {
      this.#lock = await Lock.take(studyDir, redactor.text);
    } catch (error) {
      if (error instanceof UserError) return error;
      throw error;
    }
    this.#requests = new ControlFolder(studyDir);
    this.#requests.listen((request) => {
      // Through the ledger, since the run may be another worker's.
      if (request.action === "cancel")
        ledger.setFact("cancel", JSON.stringify({ ...request, at: Date.now() }));
      else ledger.setFact("state", request.action === "pause" ? "paused" : "open");
      this.#passOnCancel();
    });
    return undefined;
  }

  #passOnCancel(): void {
    const request = this.#tended.ledger.fact("cancel");
    if (request === undefined || request === this.#seenCancel) return;
    this.#seenCancel = request;
    this.#onRequest(JSON.parse(request));
  }

  #writeLive(): void {
    const { ledger, book, studyDir, redactor } = this.#tended;
    const total = this.#tended.total();
    const finished = this.#before.ok;
    const running = ledger.claims().slice(0, MOST_SHOWN);
    const live: LiveState = {
      pid: process.pid,
      startedAtMs: this.#startedAtMs,
      total: Number.isFinite(total) ? total : book.ended.ok + book.ended.failed + running.length,
      finished,
      ok: book.ended.ok - finished,
      failed: Math.max(0, book.ended.failed - this.#before.failed),
      state: ledger.state === "paused" ? "paused" : "running",
      running: running.map(({ run, sinceMs }) => ({ id: run.id, sinceMs })),
    };
    const path = `${studyDir}/${STUDY_FILES.live}`;
    replaceFile(path, redactor.toJson(live), { isDurable: false });
  }
}
