type Json = Record<string, unknown>;

/** An answer longer than this is passed on, but not read. */
const MOST_BYTES = 32 << 20;

/** So much of a stream is read at once, where nobody waits for its events. */
const BATCH_BYTES = 32 << 10;

/**
 * Reads an answer as it passes: each event of a stream once it is there, or the whole of any other at its end. Where no
 * event is waited for any more (`isWaited`), many are read at once, which takes less of the processor's time.
 */
export class EventReader {
  readonly #isStream: boolean;
  readonly #onEvent: (event: Json) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #bytes = 0;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  isWaited = true;
  /** How many could be read. */
  events = 0;

  constructor(contentType: string, onEvent: (event: Json) => void) {
    this.#isStream = contentType.includes("text/event-stream");
    this.#onEvent = onEvent;
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (!this.#isStream && this.#bytes > MOST_BYTES) {
      this.#rest = "";
      return;
    }
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.isWaited ? this.#isStream : this.#heldBytes > BATCH_BYTES) this.#read();
  }

  end(): void {
    this.#read();
    if (this.#isStream) this.#line(this.#rest);
    else this.#json(this.#rest);
    this.#rest = "";
  }

  #read(): void {
    if (this.#held.length === 0) return;
    const bytes = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    if (!this.#isStream) return;
    const lines = this.#rest.split(/\r?\n/);
    this.#rest = lines.pop()!;
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line.startsWith("data:")) this.#json(line.slice(5));
  }

  #json(text: string): void {
    let event: unknown;
    try {
      event = JSON.parse(text);
    } catch {
      // The mark at a stream's end, or what is no JSON.
      return;
    }
    // Gemini answers with a list of events where no stream was asked for.
    for (const one of [event].flat()) {
      if (typeof one !== "object" || one === null) continue;
      this.events++;
      this.#onEvent(one as Json);
    }
  }
}
