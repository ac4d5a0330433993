import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./redis.ts";
import { waitFor } from "./wait-for.ts";

const NOBODY = 65_534;
/** The first message of a session: its length, the protocol's version, who and what. */
const HELLO_POSTGRES = Buffer.from("\0\0\0\x27\0\x03\0\0user\0nobody\0database\0postgres\0\0", "latin1");

/** Why the tests of one kind of queue can't run here; undefined where they can. */
export function queueProblem(kind: QueueKind): string | undefined {
  if (kind === "redis") {
    return spawnSync("redis-server", ["--version"]).error ? "redis-server is not installed" : undefined;
  }
  return postgresDir() === undefined ? "postgresql is not installed" : undefined;
}

export type QueueKind = "redis" | "postgres";

/** A real server for a queue on a free port, which keeps what it has over a restart unless told otherwise. */
export async function startQueueServer(
  kind: QueueKind,
  options: { forgets?: boolean; password?: string; host?: string } = {},
): Promise<QueueServer> {
  const dir = mkdtempSync(join(tmpdir(), `assay-${kind}-`));
  const port = await freePort();
  if (kind === "postgres") initPostgres(dir);
  const server = new QueueServer(kind, { dir, port, host: "127.0.0.1", ...options });
  await server.start();
  return server;
}

interface ServerOptions {
  dir: string;
  port: number;
  host: string;
  forgets?: boolean;
  password?: string;
}

export class QueueServer implements AsyncDisposable {
  readonly url: string;
  readonly #kind: QueueKind;
  readonly #options: ServerOptions;
  #child: ChildProcess | undefined;

  constructor(kind: QueueKind, options: ServerOptions) {
    this.#kind = kind;
    this.#options = options;
    const { host, port, password } = options;
    const login = password === undefined ? "" : `:${password}@`;
    this.url =
      kind === "redis" ? `redis://${login}${host}:${port}` : `postgres://nobody@${host}:${port}/postgres`;
  }

  get port(): number {
    return this.#options.port;
  }

  async start(): Promise<void> {
    const { host, port } = this.#options;
    const [program, ...words] = this.#kind === "redis" ? this.#redis() : this.#postgres();
    const child = spawn(program!, words, { stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    let problem = "";
    child.stderr!.on("data", (text) => {
      problem += text;
    });
    child.on("error", (error) => {
      problem = error.message;
    });
    while (!(await answers(host, port, this.#kind))) {
      if (child.exitCode !== null || child.pid === undefined) throw new Error(`${program}: ${problem}`);
    }
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    if (this.#kind === "postgres") await removeStale(this.#options.dir);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#options.dir, { recursive: true, force: true });
  }

  #redis(): string[] {
    const { port, host, dir, forgets, password } = this.#options;
    const login = password === undefined ? ["--protected-mode", "no"] : ["--requirepass", password];
    const keeps = ["--save", "", "--appendonly", forgets ? "no" : "yes"];
    return ["redis-server", "--port", String(port), "--bind", host, "--dir", dir, ...keeps, ...login];
  }

  #postgres(): string[] {
    const { port, host, dir } = this.#options;
    const settings = {
      port,
      listen_addresses: host,
      unix_socket_directories: dir,
      fsync: "off",
      max_connections: 300,
    };
    const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    return [...asNobody(), join(postgresDir()!, "postgres"), "-D", join(dir, "data"), ...words];
  }
}

/** Postgres refuses to be root's. */
function asNobody(): string[] {
  if (process.getuid?.() !== 0) return [];
  return ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
}

function initPostgres(dir: string): void {
  if (process.getuid?.() === 0) chownSync(dir, NOBODY, NOBODY);
  chmodSync(dir, 0o755);
  const words = [
    join(postgresDir()!, "initdb"),
    "-D",
    join(dir, "data"),
    "-U",
    "nobody",
    "-A",
    "trust",
    "-N",
  ];
  const [program, ...rest] = [...asNobody(), ...words];
  execFileSync(program!, rest, { stdio: "pipe", env: { ...process.env, LC_ALL: "C" } });
  appendFileSync(join(dir, "data", "pg_hba.conf"), "host all all 10.0.0.0/8 trust\n");
}

/** Its processes outlive a killed postmaster for a moment, and keep the next one from starting. */
async function removeStale(dir: string): Promise<void> {
  const data = join(dir, "data");
  await waitFor(
    "the processes of Postgres to end",
    () => !readdirSync("/proc").some((pid) => folderOf(pid) === data),
  );
  rmSync(join(data, "postmaster.pid"), { force: true });
}

function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function postgresDir(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, "bin")).find((dir) => existsSync(join(dir, "initdb")));
}

/** Redis says something to PING; Postgres asks who it is with an R once it is up, and refuses with an E before. */
function answers(host: string, port: number, kind: QueueKind): Promise<boolean> {
  const hello = kind === "redis" ? "PING\r\n" : HELLO_POSTGRES;
  return new Promise((resolve) => {
    const socket = connect(port, host, () => socket.write(hello));
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("data", (text) => end(!/^(-LOADING|E)/.test(text.toString())));
    socket.once("error", () => setTimeout(() => end(false), 20));
    socket.once("close", () => end(false));
  });
}
