import { CallFailure } from "../models/call-failure.ts";
import type { Cassette, CassetteWriter } from "./cassette.ts";
import { collect, type Exchange, pathOf, serveStored } from "./exchange.ts";
import { answer, type Send } from "./forward.ts";
import { firstDifference, keyOf, normaliseRequest, type Place } from "./normalise.ts";
import { type Json, parseJson } from "./protocols/protocol.ts";

/** The same, with each exchange that has an answer also written down. */
export function recordTo(writer: CassetteWriter, send: Send): Send {
  const record: Send = async (forwarding, onAnswer) => {
    const { seen, exchange } = await collect(forwarding, { send, onAnswer });
    // A provider that is full or down for a moment is asked again, and that answer is the one.
    if (exchange && exchange.status !== 429 && exchange.status < 500) writer.add(exchange);
    return seen;
  };
  return Object.assign(record, send.knows && { knows: send.knows });
}

interface Waiting extends Exchange {
  key: string;
  normalised: Json;
  isUsed: boolean;
}

/**
 * Answers as a recording does: a request gets the answer to the same one, leaving aside what varies by nature. One that
 * was made several times gets its answers in their order. What nobody recorded is refused, and `onDifference` is told
 * where it differs from the call that should have come.
 */
export function replayFrom(
  { exchanges, head }: Pick<Cassette, "exchanges" | "head">,
  { places, onDifference }: { places: readonly Place[]; onDifference(diff: string): void },
): Send {
  const known = new Map<string, string>();
  const waiting: Waiting[] = exchanges.map((exchange) => {
    const normalised = normaliseRequest(exchange.request, head.places, known);
    return { ...exchange, normalised, key: keyOf(exchange.path, normalised), isUsed: false };
  });
  const rename = (text: string) =>
    head.places.reduce((renamed, { path, name }) => {
      const here = places.find((place) => place.name === name);
      return here ? renamed.replaceAll(path, here.path) : renamed;
    }, text);
  return async ({ incoming, outgoing, body, isCall, refusal }, onAnswer) => {
    const path = pathOf(incoming.url);
    const normalised = normaliseRequest(parseJson(body), places, known);
    const key = keyOf(path, normalised);
    const found = waiting.find((one) => one.key === key && !one.isUsed);
    if (!found) {
      const why = explainMiss(waiting, { path, normalised });
      if (isCall) onDifference(why);
      const failure = new CallFailure(why, { kind: "recording" });
      answer(outgoing, isCall ? 400 : 404, refusal(failure.message.split("\n", 1)[0]!));
      return { broken: failure, headers: {} };
    }
    found.isUsed = true;
    return serveStored({ ...found, body: rename(found.body) }, { outgoing }, onAnswer);
  };
}

/** What the recording has instead, as a diff. */
function explainMiss(
  waiting: readonly Waiting[],
  { path, normalised }: { path: string; normalised: Json },
): string {
  const left = waiting.flatMap((one, i) => (one.isUsed ? [] : { ...one, number: i + 1 }));
  const next =
    left.find((one) => one.path === path && one.normalised.model === normalised.model) ??
    left.find((one) => one.path === path);
  if (!next)
    return left.length === 0
      ? `the recording has ${waiting.length} calls, and the agent makes one more`
      : `the recording has no call of ${path}; the next is of ${left[0]!.path}`;
  const diff = firstDifference(next.normalised, normalised) ?? "";
  const where = /^@@ (.*) @@/.exec(diff)?.[1] ?? "";
  return `the agent asks something else than in call ${next.number} of the recording, at ${where}\n--- recorded\n+++ sent\n${diff}`;
}
