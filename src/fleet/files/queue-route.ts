import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import type { Store } from "../broker/store.ts";
import { Refusal } from "../envelope.ts";
import { KEYS } from "../protocol.ts";
import { unpackArchive } from "./archive.ts";
import type { FileRoute, Parcel } from "./file-route.ts";
import { packFitting } from "./pack-fitting.ts";

/** Of one run, compressed: a queue is no place for large files. */
const MOST_BYTES = 1024 * 1024;
/** What fits into the result's own message goes with it. */
const INLINE_BYTES = 32 * 1024;
const PIECE_BYTES = 256 * 1024;
/** A coordinator may be away for so long. */
const LIFE_MS = 7 * 24 * 3600 * 1000;

/** Small files go through the queue itself: in the result's message, or in pieces beside it. */
export function queueRoute(store: Store): FileRoute {
  const pieces = ({ nonce, facts }: Parcel) =>
    Array.from({ length: Number(facts?.pieces ?? 0) }, (_, i) => KEYS.piece(nonce, i));
  return {
    async send(dir, name) {
      const archive = `${dir}.parcel`;
      const { facts, omitted } = await packFitting(dir, archive, {
        mostBytes: MOST_BYTES,
        why: "a run's files may be 1 MB through the queue",
      });
      const content = readFileSync(archive);
      rmSync(archive, { force: true });
      const parcel: Parcel = { ...name, route: "queue", ...facts };
      if (content.length <= INLINE_BYTES) parcel.facts = { inline: content.toString("base64") };
      else {
        parcel.facts = { pieces: Math.ceil(content.length / PIECE_BYTES) };
        for (const [i, key] of pieces(parcel).entries()) {
          const piece = content.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES);
          await store.set(key, piece, { lifeMs: LIFE_MS });
        }
      }
      return { parcel, omitted };
    },

    async fetch(parcel, dir) {
      const content = await contentOf(parcel, store, pieces(parcel));
      const sha256 = createHash("sha256").update(content).digest("hex");
      if (sha256 !== parcel.sha256)
        throw new Refusal("content", `the files of ${parcel.runId} have another checksum`);
      await unpackArchive(Readable.from([content]), dir);
    },

    discard: (parcel) => store.delete(pieces(parcel)),
  };
}

async function contentOf({ facts, runId }: Parcel, store: Store, keys: string[]): Promise<Buffer> {
  if (typeof facts?.inline === "string") return Buffer.from(facts.inline, "base64");
  const parts: Buffer[] = [];
  for (const key of keys) {
    const part = await store.get(key);
    if (!part) throw new Refusal("content", `the files of ${runId} are no longer in the queue`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
