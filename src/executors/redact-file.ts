import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from "node:fs";
import { errorCode } from "../core/errors.ts";
import { hide, type JsonPlace, jsonPlaceAt, type Redactor } from "../core/redact.ts";
import { startReplacing, writeAll } from "../host/files.ts";

const CHUNK_BYTES = 1 << 22;

type Needles = Redactor["needles"];

/** Takes secrets out of every file below a folder. Links are not followed: they may lead elsewhere. */
export function redactFolder(dir: string, redactor: Redactor): void {
  if (redactor.needles.length === 0) return;
  for (const entry of entriesOf(dir)) {
    const path = `${dir}/${entry.name}`;
    if (entry.isDirectory()) redactFolder(path, redactor);
    else if (entry.isFile()) redactFile(path, redactor);
  }
}

/** A folder that is gone, or may not be read, stays as it is. */
function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (["ENOENT", "EACCES"].includes(errorCode(error) ?? "")) return [];
    throw error;
  }
}

/** Takes secrets out of a file of any size. A file that is not there, or may not be read, stays as it is. */
export function redactFile(path: string, redactor: Redactor): void {
  if (redactor.needles.length === 0) return;
  // Bytes that are not UTF-8 must stay as they are, so the search is over latin1, one character a byte.
  const needles = redactor.needles.map(({ needle, replacement }) => ({
    needle: Buffer.from(needle, "utf8").toString("latin1"),
    replacement,
  }));
  try {
    for (const piece of piecesOf(path, needles)) {
      if (!needles.some(({ needle }) => piece.includes(needle))) continue;
      rewrite(path, needles);
      return;
    }
  } catch (error) {
    if (!["ENOENT", "EACCES"].includes(errorCode(error) ?? "")) throw error;
  }
}

function rewrite(path: string, needles: Needles): void {
  const replacement = startReplacing(path, { isDurable: false, mode: statSync(path).mode });
  try {
    const isJson = /\.jsonl?$/.test(path);
    let place: JsonPlace = { isText: false, isEscaped: false };
    for (const piece of piecesOf(path, needles)) {
      // A number outside of texts only looks like a secret; without it, JSON would be none any more.
      const isNumber = (start: number, end: number) =>
        /^[\d.eE+-]+$/.test(piece.slice(start, end)) && !jsonPlaceAt(piece, start, place).isText;
      const isKept = isJson ? isNumber : undefined;
      writeAll(replacement.file, Buffer.from(hide(piece, needles, isKept), "latin1"));
      if (isJson) place = jsonPlaceAt(piece, piece.length, place);
    }
    replacement.finish();
  } finally {
    replacement.drop();
  }
}

/** The text of a file in pieces, cut where no needle is cut through. */
function* piecesOf(path: string, needles: Needles): Generator<string> {
  const longest = Math.max(...needles.map(({ needle }) => needle.length));
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, statSync(path).size + 1));
  const file = openSync(path, "r");
  try {
    let text = "";
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      text += chunk.toString("latin1", 0, read);
      const cut = safeCut(text, text.length - longest + 1, needles);
      if (cut <= 0) continue;
      yield text.slice(0, cut);
      text = text.slice(cut);
    }
    if (text !== "") yield text;
  } finally {
    closeSync(file);
  }
}

/** The last place up to `cut` that is inside no needle. */
function safeCut(text: string, cut: number, needles: Needles): number {
  for (const { needle } of needles) {
    const start = text.indexOf(needle, Math.max(0, cut - needle.length + 1));
    if (start >= 0 && start < cut) return safeCut(text, start, needles);
  }
  return cut;
}
