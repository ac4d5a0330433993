import type { Usage } from "../core/trajectory.ts";
import { Answer, type Json, type Protocol } from "./protocols/protocol.ts";

/** An answer that is not streamed and longer than this is passed on, but not read. */
const MOST_BYTES = 32 << 20;
/** So much of a stream is read at once. */
const BATCH_BYTES = 32 << 10;
/** A text longer than this is not kept for later. */
const MOST_KEPT = 8 << 20;
/** Events that tell tokens or an error. A text that quotes such words has a line read that need not be. */
const TELLING = /"(?:usage(?:Metadata)?|error)"\s*:\s*[^\sn]/g;

/**
 * Reads an answer as it passes. A stream is read event by event until the first token, since its time is asked for; from
 * there on in batches, and of those only what tells tokens or an error. What was said is put together when somebody asks
 * for it: most events are never parsed by a gateway that nobody wants a transcript of.
 */
export class AnswerReader {
  readonly #protocol: Protocol;
  readonly #isStream: boolean;
  readonly #onToken: () => void;
  readonly #decoder = new TextDecoder();
  readonly #answer = new Answer();
  #rest = "";
  #bytes = 0;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #isTokenSeen = false;
  /** Whole lines that were looked through for tokens and errors alone. */
  #kept: string[] = [];
  #keptLength = 0;
  usage: Usage | null = null;
  /** What the answer itself says went wrong. */
  error: string | undefined;
  /** Whether any of it can be read. */
  isReadable = false;

  constructor(protocol: Protocol, contentType: string, onToken: () => void) {
    this.#protocol = protocol;
    this.#isStream = contentType.includes("text/event-stream");
    this.#onToken = onToken;
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (!this.#isStream && this.#bytes > MOST_BYTES) {
      this.#held = [];
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#isStream && (!this.#isTokenSeen || this.#heldBytes > BATCH_BYTES)) this.#readLines();
  }

  end(): void {
    if (!this.#isStream) {
      for (const event of eventsIn(this.#decode())) this.#take(event);
      return;
    }
    this.#rest += "\n";
    this.#readLines();
  }

  /** What was said so far. */
  get answer(): Answer {
    for (const text of this.#kept.splice(0))
      for (const line of text.split("\n"))
        for (const event of eventsOf(line)) this.#protocol.addAnswer(this.#answer, event);
    this.#keptLength = 0;
    return this.#answer;
  }

  #decode(): string {
    const [first, ...more] = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    if (first === undefined) return "";
    return this.#decoder.decode(more.length === 0 ? first : Buffer.concat([first, ...more]), {
      stream: true,
    });
  }

  #readLines(): void {
    const text = this.#rest + this.#decode();
    const end = text.lastIndexOf("\n") + 1;
    this.#rest = text.slice(end);
    let from = 0;
    while (!this.#isTokenSeen && from < end) {
      const next = text.indexOf("\n", from) + 1;
      for (const event of eventsOf(text.slice(from, next))) this.#take(event);
      from = next;
    }
    if (from < end) this.#lookThrough(text.slice(from, end));
  }

  #take(event: Json): void {
    this.#note(event);
    this.#protocol.addAnswer(this.#answer, event);
    if (this.#isTokenSeen || (this.#answer.isEmpty && !isDelta(event))) return;
    this.#isTokenSeen = true;
    this.#onToken();
  }

  #note(event: Json): void {
    this.isReadable = true;
    this.usage = this.#protocol.addUsage(this.usage, event);
    this.error ??= this.#protocol.errorIn(event);
  }

  #lookThrough(lines: string): void {
    let seen = 0;
    for (const { index } of lines.matchAll(TELLING)) {
      if (index < seen) continue;
      seen = lines.indexOf("\n", index) + 1;
      for (const event of eventsOf(lines.slice(lines.lastIndexOf("\n", index) + 1, seen))) this.#note(event);
    }
    this.#kept.push(lines);
    this.#keptLength += lines.length;
    if (this.#keptLength > MOST_KEPT) void this.answer;
  }
}

/** OpenAI Responses tells an item as it grows, and whole at its end. */
const isDelta = ({ type }: Json) => typeof type === "string" && type.endsWith(".delta");

const eventsOf = (line: string) => (line.startsWith("data:") ? eventsIn(line.slice(5)) : []);

/** None in the mark at a stream's end, and in what is no JSON. */
function eventsIn(text: string): Json[] {
  try {
    // Gemini answers with a list of events where no stream was asked for.
    return [JSON.parse(text)].flat().filter((one) => typeof one === "object" && one !== null);
  } catch {
    return [];
  }
}
