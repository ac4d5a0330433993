import type { Executor, Job, Setting } from "../../core/executor.ts";
import { type Attempt, failed, type Outcome, RunFailure } from "../../core/run.ts";
import { unstarted } from "../task.ts";
import { noteAttempt, WrappedExecutor } from "../wrapped-executor.ts";
import type { Place, Provided, Provision } from "./provision.ts";

/** Carries out runs that need something beside them, which is there before each one begins and judges how it ended. */
export class EquippedExecutor extends WrappedExecutor {
  readonly #provisions: readonly Provision[];
  readonly #setting: Setting;
  #jobs: number;
  readonly #lanes: boolean[] = [];
  /** Why a run is not to begin any more, where it waits for what it needs. */
  readonly #waiting = new Map<string, Outcome | undefined>();

  private constructor(inner: Executor, provisions: readonly Provision[], setting: Setting) {
    super(inner);
    this.#provisions = provisions;
    this.#setting = setting;
    this.#jobs = setting.jobs;
  }

  /** The executor itself where its runs need nothing. */
  static async around(inner: Executor, setting: Setting): Promise<Executor> {
    const provisions: Provision[] = [];
    if (setting.services) {
      const { Services } = await import("./services.ts");
      provisions.push(new Services(setting.services, setting));
    }
    if (setting.models) {
      const { ModelGateways } = await import("./model-gateways.ts");
      provisions.push(await ModelGateways.open(setting.models, setting));
    }
    return provisions.length === 0 ? inner : new EquippedExecutor(inner, provisions, setting);
  }

  /** Nothing is made ready for a run that can't begin yet. */
  override get capacity(): number {
    return Math.min(this.inner.capacity, this.#jobs);
  }

  protected override resized(jobs: number): void {
    this.#jobs = jobs;
  }

  async execute(job: Job, signal: AbortSignal): Promise<Attempt> {
    const { id } = job.run;
    const lane = this.#takeLane();
    const provided: Provided[] = [];
    this.#waiting.set(id, undefined);
    try {
      const end = (outcome: Outcome) => this.inner.cancel?.(id, outcome);
      const unwanted = await this.#equip(job, provided, { lane, signal, end });
      this.#waiting.delete(id);
      const env = Object.assign({}, ...provided.map((one) => one.env)) as Record<string, string>;
      const made = unwanted ? unstarted(unwanted) : await this.inner.execute({ ...job, env }, signal);
      let attempt = made;
      for (const one of provided) attempt = await one.judge(attempt);
      if (attempt !== made) noteAttempt(this.#setting.studyDir, id, attempt);
      return attempt;
    } finally {
      this.#waiting.delete(id);
      this.#lanes[lane] = false;
    }
  }

  /** Gets ready what a run needs; gives why it is not to begin. */
  async #equip(job: Job, provided: Provided[], place: Omit<Place, "env">): Promise<Outcome | undefined> {
    let env: Record<string, string> = {};
    try {
      for (const provision of this.#provisions) {
        const one = await provision.begin(job, { ...place, env });
        provided.push(one);
        env = { ...env, ...one.env };
      }
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      if (!place.signal.aborted) return failed(error.owner, error.message);
    }
    return place.signal.aborted ? { status: "cancelled" } : this.#waiting.get(job.run.id);
  }

  override cancel(runId: string, outcome: Outcome): void {
    if (this.#waiting.has(runId)) this.#waiting.set(runId, outcome);
    else super.cancel(runId, outcome);
  }

  override async close(): Promise<void> {
    // Before the executor ends what is left of the study without asking.
    for (const provision of this.#provisions) await provision.close();
    await this.inner.close();
  }

  #takeLane(): number {
    const free = this.#lanes.indexOf(false);
    const lane = free < 0 ? this.#lanes.length : free;
    this.#lanes[lane] = true;
    return lane;
  }
}
