import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalJson } from "../core/hash.ts";
import type { Redactor } from "../core/redact.ts";
import { readJsonIfAny, replaceFile } from "../host/files.ts";
import { collect, type Exchange, pathOf, serveStored } from "./exchange.ts";
import type { Send } from "./forward.ts";
import { type Json, parseJson } from "./protocols/protocol.ts";

interface CacheOptions {
  dir: string;
  /** Which of several answers to the same request is meant, where the request does not say so itself. */
  sample: number;
  redactor: Redactor;
}

/** The header by which a program asks for another answer to the same request. */
const SAMPLE_HEADER = "x-assay-sample";

/**
 * Answers from a folder what was asked before, byte for byte; asks for the rest and keeps it. A model need not say the
 * same thing twice, so the number of the sample is part of what was asked.
 */
export function cacheIn({ dir, sample, redactor }: CacheOptions, send: Send): Send {
  return async (forwarding, onAnswer) => {
    if (!forwarding.isCall) return send(forwarding, onAnswer);
    const { incoming, body } = forwarding;
    const request = parseJson(body);
    const asked = Number(incoming.headers[SAMPLE_HEADER] ?? sample);
    const key = keyOf({ path: pathOf(incoming.url), request, sample: asked });
    const file = join(dir, key.slice(0, 2), `${key}.json`);
    const kept = readKept(file);
    if (kept) return { ...serveStored(kept, forwarding, onAnswer), isFree: true };
    const { seen, exchange } = await collect(forwarding, { send, onAnswer });
    if (exchange && exchange.status < 300) {
      mkdirSync(dirname(file), { recursive: true });
      replaceFile(file, `${redactor.toJson({ sample: asked, ...exchange })}\n`);
    }
    return seen;
  };
}

function keyOf(asked: { path: string; request: Json; sample: number }): string {
  return createHash("sha256").update(canonicalJson(asked)).digest("hex");
}

/** A file that can't be read is as good as none: it is written again. */
function readKept(file: string): Exchange | undefined {
  try {
    const kept = readJsonIfAny<Exchange>(file);
    return typeof kept?.body === "string" && typeof kept.status === "number" ? kept : undefined;
  } catch {
    return undefined;
  }
}
