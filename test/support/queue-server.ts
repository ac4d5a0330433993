import { type ChildProcess, execFileSync, spawnSync } from "node:child_process";
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
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killServer, launchServer, onFreePort } from "./launch-server.ts";
import { redisWords } from "./redis.ts";
import { waitFor } from "./wait-for.ts";

const NOBODY = 65_534;

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
  try {
    if (kind === "postgres") initPostgres(dir);
    return await onFreePort(async (port) => {
      const server = new QueueServer(kind, { dir, port, host: "127.0.0.1", ...options });
      await server.start();
      return server;
    });
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/** What a title says where its tests can't run here; nothing where they can. */
export function skipReason(problem: string | undefined): string {
  return problem === undefined ? "" : ` (skipped: ${problem})`;
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
    this.#child = await launchServer(this.#kind === "redis" ? this.#redis() : this.#postgres());
  }

  /** Nothing can be saved any more. */
  async loseFolder(): Promise<void> {
    rmSync(this.#options.dir, { recursive: true, force: true });
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    if (this.#child) await killServer(this.#child);
    if (this.#kind === "postgres") await removeStale(this.#options.dir);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#options.dir, { recursive: true, force: true });
  }

  #redis(): string[] {
    const { port, host, dir, forgets, password } = this.#options;
    const login = password === undefined ? ["--protected-mode", "no"] : ["--requirepass", password];
    return [...redisWords({ port, host, dir, keeps: !forgets }), ...login];
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
