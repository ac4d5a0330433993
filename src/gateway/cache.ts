import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { causeText } from "../core/errors.ts";
import { canonicalJson } from "../core/hash.ts";
import type { Redactor } from "../core/redact.ts";
import { readJsonIfAny, replaceFile } from "../host/files.ts";
import { collect, type Exchange, pathOf, serveStored } from "./exchange.ts";
import type { Forwarding, Send } from "./forward.ts";
import { questionIn } from "./normalise.ts";
import { type Json, parseJson } from "./protocols/protocol.ts";
import { isVendors } from "./upstream.ts";

interface CacheOptions {
  dir: string;
  /** Which of several answers to the same request is meant, where the request does not say so itself. */
  sample: number | string;
  /** A request that is made again asks for another sample: of one run, which may well want several. */
  isCounted?: boolean;
  redactor: Redactor;
  /** Told why an answer could not be kept; the call goes on all the same. */
  onProblem?(why: string): void;
}

/** What the cache has to say about a request. */
interface Place {
  asked: Json;
  file: string;
  kept: Kept | undefined;
  /** The request is no longer counted as made. */
  forget(): void;
}

interface Kept extends Exchange {
  /** How long the provider took for it; older files don't say. */
  tookMs?: number;
}

/** The header by which a program asks for another answer to the same request. */
const SAMPLE_HEADER = "x-assay-sample";

/**
 * Answers from a folder what was asked before, byte for byte; asks for the rest and keeps it. A model need not say the
 * same thing twice, so the sample is part of what was asked.
 */
export function cacheIn(options: CacheOptions, send: Send): Send {
  const { dir, redactor, onProblem = () => {} } = options;
  const placeOf = placing(options);
  const cached: Send = async (forwarding, onAnswer) => {
    if (!forwarding.isCall) return send(forwarding, onAnswer);
    const { asked, file, kept, forget } = placeOf(forwarding);
    if (kept)
      return {
        ...serveStored(kept, forwarding, onAnswer),
        isFree: true,
        ...(kept.tookMs !== undefined && { tookMs: kept.tookMs }),
      };
    const startMs = performance.now();
    const { seen, exchange } = await collect(forwarding, { send, onAnswer });
    if (!exchange || exchange.status >= 300) {
      forget();
      return seen;
    }
    try {
      mkdirSync(dirname(file), { recursive: true });
      const tookMs = Math.round(performance.now() - startMs);
      replaceFile(file, `${redactor.toJson({ ...asked, tookMs, ...exchange })}\n`, { isDurable: false });
    } catch (error) {
      onProblem(`answers can't be kept in ${dir} (${causeText(error)})`);
    }
    return seen;
  };
  return Object.assign(cached, {
    knows: (forwarding: Forwarding) => forwarding.isCall && placeOf(forwarding).kept !== undefined,
  });
}

/** Looks up each request once, however often it is asked about: by then another may have been kept. */
function placing({ dir, sample, isCounted = false }: CacheOptions): (forwarding: Forwarding) => Place {
  const places = new WeakMap<Forwarding, Place>();
  const made = new Map<string, number>();
  return (forwarding) => {
    const known = places.get(forwarding);
    if (known) return known;
    const { incoming, body, upstream } = forwarding;
    const header = incoming.headers[SAMPLE_HEADER];
    // Another server may have another model under the same name.
    const where = isVendors(upstream) ? {} : { base: upstream.base };
    const question = { path: pathOf(incoming.url), request: questionIn(parseJson(body)), ...where };
    const named = header === undefined ? sample : Number(header);
    const again = hashOf({ ...question, sample: named });
    const count = made.get(again) ?? 0;
    const isNext = isCounted && header === undefined;
    if (isNext) made.set(again, count + 1);
    const key = isNext && count > 0 ? hashOf({ ...question, sample: named, count }) : again;
    const file = join(dir, key.slice(0, 2), `${key}.json`);
    const place: Place = {
      asked: { sample: named, ...(isNext && { count }) },
      file,
      kept: readKept(file),
      forget() {
        places.delete(forwarding);
        if (isNext) made.set(again, made.get(again)! - 1);
      },
    };
    places.set(forwarding, place);
    return place;
  };
}

function hashOf(asked: Json): string {
  return createHash("sha256").update(canonicalJson(asked)).digest("hex");
}

/** A file that can't be read is as good as none: it is written again. */
function readKept(file: string): Kept | undefined {
  try {
    const kept = readJsonIfAny<Kept>(file);
    return typeof kept?.body === "string" && typeof kept.status === "number" ? kept : undefined;
  } catch {
    return undefined;
  }
}
