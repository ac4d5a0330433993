import { createReadStream, rmSync } from "node:fs";
import { Refusal } from "../fleet/envelope.ts";
import { unpackArchive } from "../fleet/files/archive.ts";
import { sumFolder } from "../fleet/files/folder-route.ts";
import type { Depot } from "./depot.ts";
import { damaged } from "./push.ts";

/** Bundles on their way to this machine. What arrives is what its name says, or an error. */
export class Fetcher {
  readonly #depot: Depot;
  readonly #folder: string;
  readonly #arriving: string;
  readonly #signal: AbortSignal | undefined;
  #count = 0;
  bytes = 0;

  constructor(
    depot: Depot,
    { folder, arriving, signal }: { folder: string; arriving: string; signal: AbortSignal | undefined },
  ) {
    this.#depot = depot;
    this.#folder = folder;
    this.#arriving = arriving;
    this.#signal = signal;
  }

  /** A new folder with the bundle's files. */
  async fetch(bundle: string): Promise<string> {
    this.#signal?.throwIfAborted();
    const dir = `${this.#arriving}/${this.#count++}`;
    const archive = `${dir}.archive`;
    const name = this.#folder + bundle;
    if (!/^[0-9a-f]{64}$/.test(bundle)) throw damaged(this.#depot, name);
    await this.#depot.get(name, archive);
    try {
      await unpackArchive(createReadStream(archive), dir);
    } catch (error) {
      if (
        error instanceof Refusal ||
        /^Z_|ERR_/.test(String((error as { code?: unknown }).code)) ||
        error instanceof SyntaxError
      )
        throw damaged(this.#depot, name);
      throw error;
    }
    const { sha256: sum, bytes } = await sumFolder(dir);
    if (sum !== bundle) throw damaged(this.#depot, name);
    this.bytes += bytes;
    rmSync(archive);
    return dir;
  }
}
