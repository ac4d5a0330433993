import { appendFileSync, lstatSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { causeText, isFileError, isRefusal } from "../core/errors.ts";
import { type Redactor, SECRETS_LEFT } from "../core/redact.ts";
import { RUN_FILES } from "../core/study-folder.ts";
import { Held, OddFile } from "../host/held.ts";
import { redactFile, redactFolder } from "./redact-file.ts";

const MOST_NAMED = 10;

interface Sealing {
  capBytes: number;
  redactor: Redactor;
  /** Hears what is not as it should be. */
  warn(text: string): void;
}

/** Caps what a run's folder captured and takes secrets out of all of it; what can't be cleaned is named. */
export function sealFolder(dir: string, { capBytes, redactor, warn }: Sealing): void {
  const sealed = [RUN_FILES.stdout, RUN_FILES.stderr].filter((name) =>
    tolerate(
      () => sealOutput(`${dir}/${name}`, capBytes, redactor),
      (why) => warn(`${name} is not what it printed (${why})`),
    ),
  );
  tolerate(
    () => {
      const problems = redactFolder(dir, redactor, (name) => sealed.some((done) => done === name));
      const more = problems.splice(MOST_NAMED).length;
      if (more > 0) problems.push(`${more} more`);
      if (problems.length > 0) warn(`${SECRETS_LEFT} ${problems.join(", ")}`);
    },
    (why) => warn(`${SECRETS_LEFT} its folder (${why})`),
  );
}

/** Whether something could be done in a run's folder. If not, that is the run's own affair, unless it is the machine's. */
export function tolerate(act: () => void, onFailure: (why: string) => void = () => {}): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (!isOfTheRun(error)) throw error;
    onFailure(causeText(error));
    return false;
  }
}

/** Whether an error tells what a run made of its folder: no refusal of the machine, and no bug. */
export function isOfTheRun(error: unknown): boolean {
  return error instanceof OddFile || (isFileError(error) && !isRefusal(error));
}

/**
 * Cuts a captured file to its cap, says so at its end, and takes secrets out of it. Throws, and changes nothing, where
 * something else stands in its place.
 */
export function sealOutput(path: string, capBytes: number, redactor: Redactor): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) {
    writeFileSync(path, "", { flag: "wx" });
    return;
  }
  const isCapped = cut(path, capBytes);
  redactFile(path, redactor);
  if (isCapped) {
    using file = new Held(path);
    // The cut may have left the beginning of a secret: as much as could be one goes too.
    truncateSync(file.path, Math.max(0, statSync(file.path).size - longest(redactor)));
    appendFileSync(file.path, `\n[assay: capped at ${capBytes} bytes; what came after was not kept]\n`);
  }
}

/** Cuts a captured file to its cap; whether there was anything to cut. */
export function cut(path: string, capBytes: number): boolean {
  using file = new Held(path);
  if (!file.stats.isFile()) throw new OddFile("the run put something else in its place");
  if (file.stats.nlink > 1) throw new OddFile("the run put a file of another name in its place");
  file.allow(0o600);
  if (file.stats.size <= capBytes) return false;
  truncateSync(file.path, capBytes);
  return true;
}

function longest({ needles }: Redactor): number {
  return Math.max(0, ...needles.map(({ needle }) => Buffer.byteLength(needle)));
}
