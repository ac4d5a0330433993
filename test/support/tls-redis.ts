import { type ChildProcess, execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killServer, launchServer, onFreePort } from "./launch-server.ts";

/** Why there is no Redis with TLS here; undefined where there is. */
export function tlsRedisProblem(): string | undefined {
  if (spawnSync("redis-server", ["--version"]).error) return "redis-server is not installed";
  return spawnSync("openssl", ["version"]).error ? "openssl is not installed" : undefined;
}

/** A Redis that speaks nothing but TLS and knows one user, who may do no more than a fleet needs. */
export async function startTlsRedis({
  user,
  password,
}: {
  user: string;
  password: string;
}): Promise<TlsRedis> {
  const dir = mkdtempSync(join(tmpdir(), "assay-tls-"));
  makeAuthority(dir, "ca");
  makeAuthority(dir, "stranger");
  makeCertificate(dir);
  const acl = `user default off\nuser ${user} on >${password} ~assay:* &assay:* +@all -@dangerous +info\n`;
  writeFileSync(join(dir, "users.acl"), acl);
  const settings = {
    port: 0,
    bind: "127.0.0.1",
    "tls-cert-file": join(dir, "server.pem"),
    "tls-key-file": join(dir, "server.key"),
    "tls-ca-cert-file": join(dir, "ca.pem"),
    "tls-auth-clients": "no",
    aclfile: join(dir, "users.acl"),
    save: "",
    dir,
  };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return onFreePort(async (port) => {
    const child = await launchServer(["redis-server", "--tls-port", String(port), ...words]);
    return new TlsRedis(child, dir, port);
  });
}

export class TlsRedis implements AsyncDisposable {
  /** The authority that signed its certificate, and another one. */
  readonly authority: string;
  readonly stranger: string;
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #dir: string;

  constructor(child: ChildProcess, dir: string, port: number) {
    this.#child = child;
    this.#dir = dir;
    this.port = port;
    this.authority = join(dir, "ca.pem");
    this.stranger = join(dir, "stranger.pem");
  }

  urlFor(user: string, password: string): string {
    return `rediss://${user}:${password}@127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await killServer(this.#child);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];

function makeAuthority(dir: string, name: string): void {
  openssl(
    dir,
    "req",
    "-x509",
    ...KEY,
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.pem`,
    "-subj",
    `/CN=${name}`,
  );
}

function makeCertificate(dir: string): void {
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", "server.key", "-out", "server.pem"];
  openssl(dir, "req", "-x509", ...KEY, ...signed, ...files, "-subj", "/CN=queue");
}

function openssl(dir: string, ...words: string[]): void {
  execFileSync("openssl", words, { cwd: dir, stdio: "pipe" });
}
