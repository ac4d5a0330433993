import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A stand-in for W&B's cloud: answers what `wandb sync` asks, and keeps what it sends. */
export class WandbServer implements AsyncDisposable {
  readonly #server: Server;
  /** By run: what it was called, its configuration as JSON, its rows, its last summary, its files, whether it ended. */
  readonly runs = new Map<string, SyncedRun>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts).toString();
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(this.#answer(request.url ?? "", body)));
      });
    });
  }

  static async start(): Promise<WandbServer> {
    const server = new WandbServer();
    await new Promise<void>((done) => server.#server.listen(0, "127.0.0.1", done));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #run(name: string): SyncedRun {
    const run = this.runs.get(name) ?? {
      name: "",
      project: "",
      config: {},
      rows: [],
      summary: {},
      files: {},
    };
    this.runs.set(name, run);
    return run;
  }

  #answer(url: string, body: string): object {
    if (url === "/graphql") return this.#graphql(JSON.parse(body) as GraphQl);
    const upload = /^\/upload\/([^/]+)\/(.*)/.exec(url);
    if (upload) this.#run(upload[1]!).files[decodeURIComponent(upload[2]!)] = body;
    const stream = /^\/files\/[^/]+\/[^/]+\/([^/]+)\/file_stream/.exec(url);
    if (stream) this.#take(this.#run(stream[1]!), JSON.parse(body) as Stream);
    return {};
  }

  #graphql({ query, variables }: GraphQl): object {
    const name = String(variables.name ?? variables.run);
    if (/mutation UpsertBucket/.test(query)) {
      const run = this.#run(name);
      run.name = (variables.displayName as string | null) ?? run.name;
      run.project = String(variables.project);
      run.config = JSON.parse(String(variables.config));
      const project = { id: "p", name: run.project, entity: { id: "e", name: "me" } };
      const bucket = { id: name, name, displayName: run.name, config: "{}", project, historyLineCount: 0 };
      return { data: { upsertBucket: { bucket, inserted: true } } };
    }
    if (/mutation CreateRunFiles/.test(query)) {
      const files = (variables.files as string[]).map((file) => ({
        name: file,
        uploadUrl: `${this.url}/upload/${name}/${encodeURIComponent(file)}`,
      }));
      return { data: { createRunFiles: { runID: name, uploadHeaders: [], files } } };
    }
    return { data: {} };
  }

  #take(run: SyncedRun, { files = {}, exitcode }: Stream): void {
    const rows = files["wandb-history.jsonl"];
    rows?.content.forEach((line, i) => {
      run.rows[rows.offset + i] = JSON.parse(line);
    });
    const summary = files["wandb-summary.json"]?.content.at(-1);
    if (summary !== undefined) run.summary = JSON.parse(summary);
    if (exitcode !== undefined) run.exitCode = exitcode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

interface SyncedRun {
  name: string;
  project: string;
  config: Record<string, { value: unknown }>;
  rows: Record<string, unknown>[];
  summary: Record<string, unknown>;
  files: Record<string, string>;
  exitCode?: number;
}

interface GraphQl {
  query: string;
  variables: Record<string, unknown>;
}

interface Stream {
  files?: Record<string, { offset: number; content: string[] }>;
  exitcode?: number;
}
