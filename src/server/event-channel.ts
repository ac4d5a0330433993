import { sleep } from "../host/clock.ts";

const BEAT_MS = 15_000;
const RETRY_MS = 1000;
const AWAY_MS = 3000;
const MOST_WAITING_BYTES = 1 << 20;

/**
 * One reader of server-sent events. Nothing piles up for a slow one: `isReady` tells when it has taken what it
 * was sent, and whoever sends waits for that.
 */
export class EventChannel {
  readonly #onClose = new Set<() => void>();
  readonly #encoder = new TextEncoder();
  readonly #stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #beat: NodeJS.Timeout;

  constructor() {
    this.#stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING_BYTES }),
    );
    this.#write(`retry: ${RETRY_MS}\n\n`);
    this.#beat = setInterval(() => this.isReady && this.#write(": still here\n\n"), BEAT_MS);
    this.#beat.unref();
  }

  get response(): Response {
    return new Response(this.#stream, {
      headers: { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" },
    });
  }

  get isReady(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  get isClosed(): boolean {
    return this.#controller === undefined;
  }

  /** JSON has no line breaks of its own, so an event's data is always one line. */
  send(name: string, data: unknown, id?: string): void {
    const place = id === undefined ? "" : `id: ${id}\n`;
    this.#write(`${place}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Resolves when the reader has taken all that it was sent, or has left. */
  async drained(): Promise<void> {
    while ((this.#controller?.desiredSize ?? MOST_WAITING_BYTES) < MOST_WAITING_BYTES) await sleep(5);
  }

  onClose(act: () => void): void {
    if (this.isClosed) act();
    else this.#onClose.add(act);
  }

  /** Ends, so that another reader has a connection; this one comes back for what it has missed in a while. */
  makeRoom(): void {
    this.#write(`retry: ${AWAY_MS}\n`);
    this.send("bye", {});
    this.close();
  }

  close(): void {
    const controller = this.#controller;
    if (!controller) return;
    this.#controller = undefined;
    clearInterval(this.#beat);
    for (const act of this.#onClose) act();
    try {
      controller.close();
    } catch {
      // The reader left first.
    }
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }
}
