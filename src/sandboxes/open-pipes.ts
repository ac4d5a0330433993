import { execFile } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "../core/errors.ts";
import { SandboxError } from "./sandbox.ts";

/** A pipe of the kernel, by the descriptors of its ends. A read that would have to wait fails. */
export interface Pipe {
  reader: number;
  writer: number;
}

/** Made by a program, which takes longer than all the rest, so several at once. */
const BATCH = 16;
const ready: Pipe[] = [];

/**
 * A new pipe; its ends are the caller's to close. What Node gives its children are sockets, and
 * `echo ... > /dev/stderr`, which scripts have everywhere, fails on those.
 */
export async function openPipe(): Promise<Pipe> {
  const pipe = ready.pop();
  if (pipe) return pipe;
  const [first, ...rest] = await openPipes();
  ready.push(...rest);
  return first!;
}

async function openPipes(): Promise<Pipe[]> {
  const opened: number[] = [];
  const open = (path: string, flags: number) => {
    opened.push(openSync(path, flags));
    return opened.at(-1)!;
  };
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "assay-io-"));
    const paths = Array.from({ length: BATCH }, (_, index) => `${folder}/${index}`);
    await makeFifos(paths);
    return paths.map((path) => ({
      reader: open(path, constants.O_RDONLY | constants.O_NONBLOCK),
      writer: open(path, constants.O_WRONLY),
    }));
  } catch (error) {
    for (const end of opened) closeSync(end);
    throw new SandboxError(`no pipe could be made: ${errorText(error)}`);
  } finally {
    // Nobody needs their names once they are open.
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function makeFifos(paths: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile("mkfifo", ["-m", "600", "--", ...paths], (error) => (error ? reject(error) : resolve()));
  });
}
