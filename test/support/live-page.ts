import { request } from "node:http";

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** One request as it is written: fetch would tidy the path and refuse some headers. */
export function askRaw(
  port: number,
  path: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more;
      });
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

export interface StreamEvent {
  id: string | undefined;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  data: any;
}

/** A reader of server-sent events that keeps all that it heard. */
export class EventReader implements Disposable {
  readonly events: StreamEvent[] = [];
  status = 0;
  readonly #sent: ReturnType<typeof request>;

  constructor(url: { port: number; token: string }, path: string, headers: Record<string, string> = {}) {
    let text = "";
    const all = { Authorization: `Bearer ${url.token}`, ...headers };
    this.#sent = request(
      { host: "127.0.0.1", port: url.port, path, headers: all, agent: false },
      (response) => {
        this.status = response.statusCode!;
        response.setEncoding("utf8").on("data", (more: string) => {
          const parts = (text + more).split("\n\n");
          text = parts.pop()!;
          for (const part of parts) this.#take(part);
        });
        response.on("error", () => {});
      },
    );
    this.#sent.on("error", () => {});
    this.#sent.end();
  }

  named(name: string): StreamEvent[] {
    return this.events.filter((event) => event.name === name);
  }

  /** The ids of all runs that were told, in order. */
  get runs(): string[] {
    return this.named("rows").flatMap(({ data }) => data.rows.map(({ run }: { run: string }) => run));
  }

  get lastId(): string | undefined {
    return this.events.findLast(({ id }) => id !== undefined)?.id;
  }

  [Symbol.dispose](): void {
    this.#sent.destroy();
  }

  #take(part: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1];
    const name = field("event");
    if (name) this.events.push({ id: field("id"), name, data: JSON.parse(field("data")!) });
  }
}
