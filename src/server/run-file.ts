import { closeSync, constants, createReadStream, fstatSync, openSync, realpathSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { Readable } from "node:stream";
import { RUN_FILES, STUDY_FILES } from "../core/study-folder.ts";

const TEXT = /\.(txt|log|json|jsonl|csv|tsv|md|ya?ml|toml)$/i;

/** A file of one run, as a download: whatever is in it, a browser never shows it as a page. */
export function runFile(studyDir: string, runId: string, path: string): Response | undefined {
  const file = openRunFile(studyDir, runId, path);
  if (!file) return undefined;
  const name = encodeURIComponent(basename(path)).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  const stream = createReadStream("", { fd: file.descriptor, end: Math.max(0, file.bytes - 1) });
  return new Response(file.bytes === 0 ? drained(stream) : (Readable.toWeb(stream) as ReadableStream), {
    headers: {
      "Content-Type": TEXT.test(path) ? "text/plain; charset=utf-8" : "application/octet-stream",
      "Content-Disposition": `attachment; filename*=UTF-8''${name}`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Content-Length": String(file.bytes),
      "Cache-Control": "no-store",
    },
  });
}

/** Opens a regular file below the run's folder; undefined for everything else, links that lead out included. */
function openRunFile(studyDir: string, runId: string, path: string) {
  if (!isPlain(runId) || !path.split("/").every(isPlain)) return undefined;
  try {
    const runs = join(realpathSync(studyDir), STUDY_FILES.runs);
    const folder = realpathSync(join(runs, runId));
    if (folder !== join(runs, runId)) return undefined;
    for (const candidate of [join(folder, path), join(folder, RUN_FILES.out, path)]) {
      const found = openBelow(folder, candidate);
      if (found) return found;
    }
  } catch {
    // No such study or run.
  }
  return undefined;
}

function openBelow(folder: string, path: string): { descriptor: number; bytes: number } | undefined {
  let descriptor: number | undefined;
  try {
    const real = realpathSync(path);
    if (!real.startsWith(folder + sep)) return undefined;
    // A link that is put there in between is not followed, and a pipe does not block.
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return { descriptor, bytes: stats.size };
  } catch {
    return undefined;
  }
  closeSync(descriptor);
  return undefined;
}

/** One word of a path, which leads nowhere but down. */
function isPlain(word: string): boolean {
  return word !== "" && word !== "." && word !== ".." && !/[/\\\0]/.test(word);
}

function drained(stream: { destroy(): void }): string {
  stream.destroy();
  return "";
}
