import type { Answering, Forwarding, Reader, Seen, Send } from "./forward.ts";
import { type Json, parseJson } from "./protocols/protocol.ts";

/** One request and its answer, as they passed. */
export interface Exchange {
  /** With its query. */
  path: string;
  request: Json;
  status: number;
  contentType: string;
  body: string;
}

type OnAnswer = (response: Answering) => Reader | void;

/** Lets a call pass, and gives what was said; no exchange where none was whole. */
export async function collect(
  forwarding: Forwarding,
  { send, onAnswer }: { send: Send; onAnswer: OnAnswer },
): Promise<{ seen: Seen; exchange?: Exchange }> {
  const chunks: Uint8Array[] = [];
  let status = 0;
  let contentType = "";
  let isHeld = false;
  const seen = await send(forwarding, (response) => {
    status = response.status;
    contentType = String(response.headers["content-type"] ?? "");
    const reader = onAnswer(response);
    isHeld = reader?.isHeld ?? false;
    return {
      isHeld,
      add(chunk) {
        chunks.push(chunk);
        reader?.add(chunk);
      },
    };
  });
  if (seen.broken !== undefined || status === 0 || isHeld) return { seen };
  const { incoming, body } = forwarding;
  const answered = { status, contentType, body: Buffer.concat(chunks).toString("utf8") };
  return { seen, exchange: { path: pathOf(incoming.url), request: parseJson(body), ...answered } };
}

/** Answers with what was said before. */
export function serveStored(
  { status, contentType, body }: Omit<Exchange, "path" | "request">,
  { outgoing }: Pick<Forwarding, "outgoing">,
  onAnswer: OnAnswer,
): Seen {
  const headers = { "content-type": contentType };
  const reader = onAnswer({ status, headers });
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, headers);
  reader?.add(bytes);
  outgoing.end(bytes);
  return { headers };
}

/** Without a key that an agent may have put there. */
export function pathOf(url = "/"): string {
  const { pathname, searchParams } = new URL(url, "http://gateway");
  searchParams.delete("key");
  const query = searchParams.toString();
  return query === "" ? pathname : `${pathname}?${query}`;
}
