import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Setting } from "../../core/executor.ts";
import type { Run } from "../../core/run.ts";
import type { Broker } from "../../fleet/broker/broker.ts";
import { persist } from "../../fleet/broker/persist.ts";
import { ContentCheck, type Contents } from "../../fleet/code/content-check.ts";
import { dataNamed, filesNamed, packCode } from "../../fleet/code/pack-code.ts";
import { OLDEST_PROTOCOL, seal } from "../../fleet/envelope.ts";
import { classOf, describeClass, type Needs } from "../../fleet/needs.ts";
import { KEYS, protocolOf, type StudyMessage } from "../../fleet/protocol.ts";
import { shippedName } from "../../targets/index.ts";
import { loadTarget } from "../../targets/load-target.ts";

/** Published things outlive the longest absence of a coordinator, which publishes them again when it returns. */
const LIFE_MS = 7 * 24 * 3600 * 1000;
const MOST_DEATHS = 3;

interface PublisherOptions {
  broker: Broker;
  key: string;
  study: string;
  setting: Setting;
}

/** Publishes what all runs of a study share, with its own files; chunks name it by its hash. */
export class Publisher {
  readonly needs: Needs;
  readonly #options: PublisherOptions;
  readonly #fileParams: readonly string[];
  readonly #named = new Set<string>();
  /** Files that are no code: prompts and configurations that a program's parameters name. */
  readonly #data = new Set<string>();
  #content: ContentCheck | undefined;
  #published: { hash: string; envelope: string; blobs: Map<string, Buffer> } | undefined;

  private constructor(options: PublisherOptions, fileParams: readonly string[]) {
    this.#options = options;
    this.#fileParams = fileParams;
    const { target, plugins, queue, services } = options.setting;
    const isOwn = target.kind !== "shipped" || plugins.length > 0 || services !== undefined;
    const protocol = protocolOf(options.setting);
    this.needs = {
      ...queue?.needs,
      ...(isOwn && { ownCode: true }),
      ...(protocol > OLDEST_PROTOCOL && { protocol }),
    };
  }

  static async create(options: PublisherOptions): Promise<Publisher> {
    const { target } = options.setting;
    const loaded = target.kind === "command" ? undefined : await loadTarget(target);
    const task = loaded?.taskSetParam;
    const publisher = new Publisher(options, [...(loaded?.fileParams ?? []), ...(task ? [task] : [])]);
    publisher.#content = await ContentCheck.create(target, options.setting.baseDir);
    await publisher.#publish();
    return publisher;
  }

  /** What each of these runs must find on a worker's machine; undefined where they need nothing there. */
  contentsOf(runs: readonly Run[]): Contents[] | undefined {
    return this.#content && runs.map((run) => this.#content!.contentsOf(run));
  }

  /** The hash of what is published, with all files that these runs name. */
  async hashFor(runs: readonly Run[]): Promise<string> {
    const { target, baseDir } = this.#options.setting;
    const before = this.#named.size + this.#data.size;
    if (target.kind === "command")
      for (const run of runs) for (const path of dataNamed(run, target, baseDir)) this.#data.add(path);
    if (this.#fileParams.length > 0) {
      for (const { params } of runs)
        for (const path of filesNamed(params, this.#fileParams, baseDir))
          if (existsSync(path)) this.#named.add(path);
    }
    if (this.#named.size + this.#data.size > before) await this.#publish();
    return this.#published!.hash;
  }

  /** Puts it there again: a server that was restarted may have forgotten it. */
  async restore(): Promise<void> {
    const { store } = this.#options.broker;
    const { hash, envelope, blobs } = this.#published!;
    await persist(async () => {
      await this.sayInUse();
      for (const [sha256, content] of blobs) await store.set(KEYS.blob(sha256), content, { lifeMs: LIFE_MS });
      await store.set(KEYS.message(hash), envelope, { lifeMs: LIFE_MS });
    });
  }

  /** Workers look for runs in the queue of these needs for as long as a study says so. */
  async sayInUse(): Promise<void> {
    const { store } = this.#options.broker;
    const said = describeClass(this.needs, await store.nowMs());
    await store.setFields(KEYS.classes, { [classOf(this.needs)]: said });
  }

  async #publish(): Promise<void> {
    const { setting, key, study } = this.#options;
    const { manifest, blobs } = packCode(setting, [...this.#named], this.#data);
    const { queue, slurm: _, spentUsd: __, ...shared } = setting;
    const { target } = setting;
    const shipped = target.kind === "shipped" ? await shippedName(target.name) : undefined;
    const message: StudyMessage = {
      name: basename(setting.studyDir),
      setting: { ...shared, studyDir: "" },
      code: manifest,
      needs: this.needs,
      mostDeaths: queue?.mostDeaths ?? MOST_DEATHS,
      ...(queue?.limits && { limits: queue.limits }),
      files: queue?.files ?? "queue",
      ...(shipped !== undefined && { shipped }),
    };
    const protocol = this.needs.protocol ?? OLDEST_PROTOCOL;
    const envelope = JSON.stringify(seal("study", message, { key, study, protocol }));
    const hash = createHash("sha256").update(envelope).digest("hex");
    this.#published = { hash, envelope, blobs };
    await this.restore();
  }
}
