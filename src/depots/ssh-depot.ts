import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import { posix } from "node:path";
import { UserError } from "../core/errors.ts";
import type { Depot } from "./depot.ts";
import { NO_SUCH_FILE, SFTP, Sftp, SftpError } from "./sftp.ts";

const READ = 1;
const WRITE_NEW = 2 | 8 | 32;
/** What every server takes in one request, and how many are under way at once. */
const PIECE_BYTES = 32 * 1024;
const AT_ONCE = 32;

/** A folder on a machine that `ssh` reaches, with its keys and settings. ASSAY_SSH replaces the words `ssh`. */
export function sshDepot(address: string, env: NodeJS.ProcessEnv = process.env): Depot {
  const { words, root } = readAddress(address, env);
  let opened: Promise<Sftp> | undefined;
  let connection: Sftp | undefined;
  const connect = async () => {
    connection = new Sftp(words);
    try {
      await connection.greet();
    } catch (error) {
      throw new UserError(`${address} can't be reached (${(error as Error).message})`, {
        remedy: `Try \`${words.join(" ")} </dev/null\`; ASSAY_SSH names another ssh, or options for it.`,
      });
    }
    return connection;
  };
  const sftp = () => {
    opened ??= connect();
    return opened;
  };
  const at = (name: string) => posix.join(root, name);
  return {
    label: address,
    list: async (beginning) => listFiles(await sftp(), root, beginning.replace(/\/$/, "")),

    async put(name, path, { bytes }) {
      const server = await sftp();
      const target = at(name);
      await makeFolders(server, posix.dirname(target), address);
      const partial = posix.join(posix.dirname(target), `.${posix.basename(target)}.${randomUUID()}`);
      await upload(server, path, partial);
      const arrived = (await server.ask(SFTP.stat, partial)).attributes().bytes;
      if (arrived !== bytes) throw new UserError(`${address} kept ${arrived} of ${bytes} bytes of ${name}`);
      await rename(server, partial, target);
    },

    async get(name, path) {
      const server = await sftp();
      try {
        await download(server, at(name), path);
      } catch (error) {
        if (error instanceof SftpError && error.code === NO_SUCH_FILE)
          throw new UserError(`${name} is not in ${address}`);
        throw error;
      }
    },

    async delete(name) {
      const server = await sftp();
      if (await isThere(server, at(name))) await server.ask(SFTP.remove, at(name));
    },

    close: () => connection?.close(),
  };
}

function readAddress(address: string, { ASSAY_SSH = "ssh" }: NodeJS.ProcessEnv) {
  const [, user, host, port, path] =
    /^(?:ssh|sftp):\/\/(?:([\w.-]+)@)?([A-Za-z0-9][\w.-]*|\[[\da-fA-F:]+\])(?::(\d+))?(\/.*)$/.exec(
      address,
    ) ?? [];
  if (host === undefined || path === undefined)
    throw new UserError("the place", {
      expected: "ssh://user@host/path (from the home folder: ssh://user@host/~/path)",
      got: address,
    });
  const name = host.replace(/^\[|\]$/g, "");
  const words = [
    ...ASSAY_SSH.trim().split(/\s+/),
    ...(port === undefined ? [] : ["-p", port]),
    ...["-s", "--", user === undefined ? name : `${user}@${name}`, "sftp"],
  ];
  // A path that is not absolute begins in the user's home folder.
  return { words, root: path.replace(/^\/~\/?/, "./") };
}

/** The protocol's own never replaces a file; OpenSSH has one that does. */
async function rename(server: Sftp, from: string, to: string): Promise<void> {
  try {
    await server.ask(SFTP.extended, "posix-rename@openssh.com", from, to);
  } catch {
    if (await isThere(server, to)) await server.ask(SFTP.remove, to).catch(() => {});
    await server.ask(SFTP.rename, from, to);
  }
}

async function isThere(server: Sftp, path: string): Promise<boolean> {
  try {
    await server.ask(SFTP.stat, path);
    return true;
  } catch (error) {
    if (error instanceof SftpError && error.code === NO_SUCH_FILE) return false;
    throw error;
  }
}

async function makeFolders(server: Sftp, path: string, address: string): Promise<void> {
  if (await isThere(server, path)) return;
  const parent = posix.dirname(path);
  if (parent !== path) await makeFolders(server, parent, address);
  try {
    await server.ask(SFTP.makeFolder, path, 0);
  } catch (error) {
    if (!(await isThere(server, path)))
      throw new UserError(`${address}: the folder ${path} can't be made (${(error as Error).message})`);
  }
}

async function listFiles(server: Sftp, root: string, below: string): Promise<string[]> {
  let handle: Buffer;
  try {
    handle = (await server.ask(SFTP.openFolder, posix.join(root, below))).bytes();
  } catch (error) {
    if (error instanceof SftpError && error.code === NO_SUCH_FILE) return [];
    throw error;
  }
  const names: string[] = [];
  for (;;) {
    const answer = await server.askOrEnd(SFTP.readFolder, handle);
    if (!answer) break;
    for (let left = answer.number(); left > 0; left--) {
      const name = answer.text();
      answer.text();
      const { isFolder } = answer.attributes();
      if (name.startsWith(".")) continue;
      if (isFolder) names.push(...(await listFiles(server, root, `${below}/${name}`)));
      else names.push(`${below}/${name}`);
    }
  }
  await server.ask(SFTP.close, handle);
  return names;
}

async function upload(server: Sftp, path: string, target: string): Promise<void> {
  const handle = (await server.ask(SFTP.open, target, WRITE_NEW, 0)).bytes();
  const file = await open(path);
  try {
    const { size } = await file.stat();
    await inPieces(size, async (offset, bytes) => {
      const piece = Buffer.alloc(bytes);
      await file.read(piece, 0, bytes, offset);
      await server.ask(SFTP.write, handle, BigInt(offset), piece);
    });
  } finally {
    await file.close();
  }
  await server.ask(SFTP.close, handle);
}

async function download(server: Sftp, source: string, path: string): Promise<void> {
  const size = (await server.ask(SFTP.stat, source)).attributes().bytes ?? 0;
  const handle = (await server.ask(SFTP.open, source, READ, 0)).bytes();
  const file = await open(path, "w");
  try {
    await inPieces(size, async (offset, bytes) => {
      // A server may give less than it was asked for.
      for (let have = 0; have < bytes; ) {
        const at = BigInt(offset + have);
        const answer = await server.ask(SFTP.read, handle, at, bytes - have);
        const piece = answer.bytes();
        await file.write(piece, 0, piece.length, offset + have);
        have += piece.length;
      }
    });
  } finally {
    await file.close();
  }
  await server.ask(SFTP.close, handle);
}

/** Hands over every piece of a file of that size, several at once. */
async function inPieces(size: number, move: (offset: number, bytes: number) => Promise<void>): Promise<void> {
  let next = 0;
  const mover = async () => {
    for (let offset = next; offset < size; offset = next) {
      next += PIECE_BYTES;
      await move(offset, Math.min(PIECE_BYTES, size - offset));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, mover));
}
