import { CallFailure } from "../models/call-failure.ts";
import type { Cassette, CassetteWriter, Exchange } from "./cassette.ts";
import { answer, type Send } from "./forward.ts";
import { firstDifference, keyOf, normaliseRequest, type Place } from "./normalise.ts";
import { type Json, parseJson } from "./protocols/protocol.ts";

/** The same, with each exchange that has an answer also written down. */
export function recordTo(writer: CassetteWriter, send: Send): Send {
  return async (forwarding, onAnswer) => {
    const { incoming, body } = forwarding;
    const chunks: Uint8Array[] = [];
    let status = 0;
    let contentType = "";
    const seen = await send(forwarding, (response) => {
      status = response.status;
      contentType = String(response.headers["content-type"] ?? "");
      const reader = onAnswer(response);
      return {
        add(chunk) {
          chunks.push(chunk);
          reader?.add(chunk);
        },
        end: () => reader?.end(),
      };
    });
    // A provider that is full or down for a moment is asked again, and that answer is the one.
    const isPassing = status === 0 || status === 429 || status >= 500;
    if (seen.broken === undefined && !isPassing)
      writer.add({
        ...{ path: pathOf(incoming.url), request: parseJson(body), status, contentType },
        body: Buffer.concat(chunks).toString("utf8"),
      });
    return seen;
  };
}

/** Without a key that an agent may have put there. */
function pathOf(url = "/"): string {
  const { pathname, searchParams } = new URL(url, "http://gateway");
  searchParams.delete("key");
  const query = searchParams.toString();
  return query === "" ? pathname : `${pathname}?${query}`;
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
  const waiting: Waiting[] = exchanges.map((exchange) => {
    const normalised = normaliseRequest(exchange.request, head.places);
    return { ...exchange, normalised, key: keyOf(exchange.path, normalised), isUsed: false };
  });
  const rename = (text: string) =>
    head.places.reduce((renamed, { path, name }) => {
      const here = places.find((place) => place.name === name);
      return here ? renamed.replaceAll(path, here.path) : renamed;
    }, text);
  return async ({ incoming, outgoing, body, isCall, refusal }, onAnswer) => {
    const path = pathOf(incoming.url);
    const normalised = normaliseRequest(parseJson(body), places);
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
    const headers = { "content-type": found.contentType };
    const reader = onAnswer({ status: found.status, headers });
    const bytes = Buffer.from(rename(found.body));
    outgoing.writeHead(found.status, headers);
    reader?.add(bytes);
    reader?.end();
    outgoing.end(bytes);
    return { headers };
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
