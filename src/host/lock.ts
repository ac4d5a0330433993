import { closeSync, fstatSync, openSync, rmSync, type Stats, statSync, utimesSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { hostname } from "node:os";
import { errorCode, UserError } from "../core/errors.ts";
import { hashText } from "../core/hash.ts";
import { fitting, number, objectWith, optional, text } from "../core/shape.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny, replaceFile } from "./files.ts";
import { socketPlace } from "./processes.ts";

export interface Holder {
  pid: number;
  host: string;
  startedAt: string;
  command: string;
  /** Where its socket can be found; absent in what older versions wrote. */
  place?: string;
}

const HOLDER = objectWith({ pid: number, host: text, startedAt: text, command: text, place: optional(text) });

const BEAT_MS = 10_000;
const SILENT_MS = 60_000;

/**
 * One runner a study. On one machine the kernel is the judge: an abstract socket named after the folder, which
 * vanishes with its holder, so that a dead one needs no clearing up. The lock file says who holds it; its age
 * judges holders that share the folder from elsewhere: another machine, or a container with a network of its own.
 */
export class Lock {
  readonly #path: string;
  readonly #folder: number;
  readonly #server: Server;
  readonly #beat: NodeJS.Timeout;

  private constructor(path: string, folder: number, server: Server) {
    this.#path = path;
    this.#folder = folder;
    this.#server = server;
    this.#beat = setInterval(() => touch(path), BEAT_MS);
    this.#beat.unref();
  }

  /** `hide` takes secrets out of the command that others are shown. */
  static async take(studyDir: string, hide = (text: string) => text): Promise<Lock> {
    const path = `${studyDir}/${STUDY_FILES.lock}`;
    // Open for as long as the lock is held: should the folder be deleted, no other gets its inode and so its name.
    const folder = openSync(studyDir, "r");
    const server = await listen(socketName(fstatSync(folder)));
    const holder = readHolder(path);
    if (!server || (holder && !isNear(holder) && ageMs(path) < SILENT_MS)) {
      server?.close();
      closeSync(folder);
      throw refusal(studyDir, holder);
    }
    const mine: Holder = {
      pid: process.pid,
      host: hostname(),
      startedAt: new Date().toISOString(),
      place: socketPlace(),
      command: ["assay", ...process.argv.slice(2)].join(" ").slice(0, 500),
    };
    replaceFile(path, hide(JSON.stringify(mine)), { isDurable: false });
    return new Lock(path, folder, server);
  }

  release(): void {
    clearInterval(this.#beat);
    rmSync(this.#path, { force: true });
    this.#server.close();
    closeSync(this.#folder);
  }
}

/** Who runs a study now, as far as can be told from outside. */
export async function currentHolder(studyDir: string): Promise<Holder | undefined> {
  const holder = readHolder(`${studyDir}/${STUDY_FILES.lock}`);
  if (!holder) return undefined;
  if (!isNear(holder)) return ageMs(`${studyDir}/${STUDY_FILES.lock}`) < SILENT_MS ? holder : undefined;
  return (await answers(socketName(statSync(studyDir)))) ? holder : undefined;
}

/** Whether the kernel here knows of its socket. */
function isNear({ host, place }: Holder): boolean {
  return host === hostname() && (place === undefined || place === socketPlace());
}

function readHolder(path: string): Holder | undefined {
  return fitting<Holder>(readJsonIfAny(path), HOLDER);
}

function refusal(studyDir: string, holder: Holder | undefined): UserError {
  const who = holder
    ? `process ${holder.pid} on ${holder.host} since ${holder.startedAt} (${holder.command})`
    : "another runner";
  return new UserError(`${studyDir} is being run by ${who}`, {
    remedy: "Wait for it or stop it; `assay status` shows how far it is.",
  });
}

function socketName({ dev, ino }: Stats): string {
  const name = `assay-${hashText(`${dev}:${ino}`).slice(0, 32)}`;
  return process.platform === "linux" ? `\0${name}` : `/tmp/${name}.sock`;
}

/** A server of that name, or undefined when somebody alive has it. */
async function listen(name: string): Promise<Server | undefined> {
  const server = await tryListen(name);
  // A socket in the file system (where there are no abstract ones) outlives a holder that was killed.
  if (server || name.startsWith("\0") || (await answers(name))) return server;
  rmSync(name, { force: true });
  return tryListen(name);
}

function tryListen(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error) => (errorCode(error) === "EADDRINUSE" ? resolve(undefined) : reject(error)));
    server.listen(name, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Asks without taking the name, even for a moment: a runner that starts just then must get it. */
function answers(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(name, () => {
      socket.destroy();
      resolve(true);
    });
    // EAGAIN: it listens, but has been too busy to answer others who asked.
    socket.once("error", (error) => resolve(errorCode(error) === "EAGAIN"));
  });
}

function ageMs(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The folder was moved or deleted under us; the journal will say so.
  }
}
