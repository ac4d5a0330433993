import { closeSync, openSync, writeSync } from "node:fs";
import { RUN_FILES } from "../core/study-folder.ts";

type Write = typeof process.stdout.write;

/** Sends what the thread prints to the run's files, up to a cap, until the returned function is called. */
export function captureOutput(dir: string, capBytes: number): () => void {
  const releases = [
    capture(process.stdout, `${dir}/${RUN_FILES.stdout}`, capBytes),
    capture(process.stderr, `${dir}/${RUN_FILES.stderr}`, capBytes),
  ];
  return () => {
    for (const release of releases) release();
  };
}

function capture(stream: NodeJS.WriteStream, path: string, capBytes: number): () => void {
  const original = stream.write;
  let file: number | undefined;
  let written = 0;
  const write = (chunk: string | Uint8Array): boolean => {
    // One byte past the cap is kept, so that sealing sees that something was cut.
    if (written > capBytes) return true;
    file ??= openSync(path, "a");
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    written += writeSync(file, bytes, 0, Math.min(bytes.length, capBytes + 1 - written));
    return true;
  };
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const result = write(chunk);
    const callback = rest.find((item) => typeof item === "function") as (() => void) | undefined;
    callback?.();
    return result;
  }) as Write;
  return () => {
    stream.write = original;
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
}
