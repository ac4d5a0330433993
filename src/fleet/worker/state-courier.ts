import { randomUUID } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { errorText } from "../../core/errors.ts";
import type { Outcome } from "../../core/run.ts";
import { runStateDir } from "../../core/study-folder.ts";
import { removeTree } from "../../host/files.ts";
import type { Store } from "../broker/store.ts";
import { type Envelope, open, Refusal, seal } from "../envelope.ts";
import { listEntries } from "../files/archive.ts";
import type { FileRoute, Parcel } from "../files/file-route.ts";
import { KEYS } from "../protocol.ts";

/** How often a worker looks whether a run has saved something. */
const LOOK_MS = 1000;
const LIFE_MS = 7 * 24 * 3600 * 1000;

interface Facts {
  studyDir: string;
  study: string;
  key: string;
  store: Store;
  route: FileRoute;
}

/**
 * Takes the state of runs (`ASSAY_STATE_DIR`) from worker to worker by the way that files go: what a run has saved is
 * sent soon after, and once more when it ends without a result. The store names the newest parcel, signed; one that was
 * cut off on its way is never named, so a run finds the state before it.
 */
export class StateCourier {
  readonly #facts: Facts;
  /** By run: what was sent last, and what the folder was like then. */
  readonly #sent = new Map<string, { parcel?: Parcel; look: string }>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Brings what an earlier try saved on another worker. Gives what is to be called when the run has ended. */
  async begin(runId: string): Promise<(outcome: Outcome) => Promise<void>> {
    const dir = this.#dirOf(runId);
    const parcel = await this.#fetch(runId, dir);
    this.#sent.set(runId, { ...(parcel && { parcel }), look: lookAt(dir) });
    let seen = "";
    let sending = Promise.resolve();
    const timer = setInterval(() => {
      const look = lookAt(dir);
      // Sent when it has not changed since the last look: a checkpoint takes its time to be written.
      if (look === seen && look !== this.#sent.get(runId)?.look)
        sending = sending.then(() => this.#send(runId));
      seen = look;
    }, LOOK_MS);
    return async ({ status }) => {
      clearInterval(timer);
      await sending;
      if (status === "ok" || status === "stopped") await this.#forget(runId);
      else if (lookAt(dir) !== this.#sent.get(runId)?.look) await this.#send(runId);
      this.#sent.delete(runId);
      removeTree(dir);
    };
  }

  /** One that arrives damaged counts as none: the run begins anew, instead of failing at each further try. */
  async #fetch(runId: string, dir: string): Promise<Parcel | undefined> {
    try {
      const parcel = await this.#named(runId);
      if (!parcel) return undefined;
      removeTree(dir);
      await this.#facts.route.fetch(parcel, dir);
      return parcel;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      removeTree(dir);
      process.stderr.write(`assay: the state of ${runId} is damaged, so it begins anew: ${error.message}\n`);
      return undefined;
    }
  }

  #dirOf(runId: string): string {
    return runStateDir(this.#facts.studyDir, runId);
  }

  async #named(runId: string): Promise<Parcel | undefined> {
    const { store, study, key } = this.#facts;
    const text = (await store.fields(KEYS.states(study)))[runId];
    if (text === undefined) return undefined;
    const { body, study: of } = open<Parcel>("state", JSON.parse(text) as Envelope, key);
    return of === study && body.runId === runId ? body : undefined;
  }

  async #send(runId: string): Promise<void> {
    const { store, study, key, route } = this.#facts;
    const dir = this.#dirOf(runId);
    const look = lookAt(dir);
    try {
      const { parcel } = await route.send(dir, { study, runId, nonce: randomUUID() });
      // It was written to meanwhile: what was packed may be half of it.
      if (lookAt(dir) !== look) return await route.discard(parcel);
      const envelope = JSON.stringify(seal("state", parcel, { key, study }));
      await store.setFields(KEYS.states(study), { [runId]: envelope }, { lifeMs: LIFE_MS });
      const before = this.#sent.get(runId)?.parcel;
      this.#sent.set(runId, { parcel, look });
      if (before) await route.discard(before);
    } catch (error) {
      // The run goes on; what is there from before is what a next try would resume from.
      process.stderr.write(`assay: the state of ${runId} could not be sent: ${errorText(error)}\n`);
    }
  }

  async #forget(runId: string): Promise<void> {
    const { store, study, route } = this.#facts;
    const parcel = this.#sent.get(runId)?.parcel;
    if (!parcel) return;
    await store.deleteFields(KEYS.states(study), [runId]);
    await route.discard(parcel);
  }
}

/** Stands for what a folder holds, by names, sizes and times; empty where nothing is in it. */
function lookAt(dir: string): string {
  if (!existsSync(dir)) return "";
  try {
    const { entries } = listEntries(dir);
    return entries.map(({ path, bytes }) => `${path} ${bytes} ${lstatSync(`${dir}/${path}`).mtimeMs}`).join();
  } catch {
    // A file went away meanwhile.
    return `changing ${Math.random()}`;
  }
}
