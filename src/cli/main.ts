import { closeSync, fstatSync } from "node:fs";
import { isatty } from "node:tty";
import { CommanderError } from "commander";
import { listenForDamage } from "../archive/damage.ts";
import { explainFileError } from "../core/errors.ts";
import { dottedHint } from "./dotted-hint.ts";
import { createProgram } from "./program.ts";
import { guardTerminal, printable } from "./terminal.ts";

const BUG = 70;

/** Runs one command line; the exit code says how it went. */
export async function main(argv: string[]): Promise<void> {
  // A reader that has seen enough (`assay ... | head`) is no fault; a terminal that has gone sends a signal, too.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EIO") process.exit(code === "EPIPE" ? 0 : BUG);
  });
  // Nobody is left who could be told.
  process.stderr.on("error", () => {});
  process.on("exit", letGoOfTerminal);
  for (const stream of [process.stdout, process.stderr]) guardTerminal(stream);
  listenForDamage((text) => process.stderr.write(`assay: ${printable(text)}\n`));
  try {
    await createProgram().parseAsync(withHyphens(argv));
  } catch (error) {
    process.exitCode = exitCodeOf(explainFileError(error));
    if (error instanceof CommanderError && error.code === "commander.unknownOption")
      process.stderr.write(dottedHint(withHyphens(argv), createProgram()));
  }
}

/** Node resets a terminal as it ends, and aborts where that has gone; one that it does not have it lets be. */
function letGoOfTerminal(): void {
  for (const fd of [0, 1, 2]) {
    try {
      if (fstatSync(fd).isCharacterDevice() && !isatty(fd)) closeSync(fd);
    } catch {
      // It was closed before.
    }
  }
}

/** `--dry_run` is `--dry-run`: options may be spelt with underscores. */
function withHyphens(argv: string[]): string[] {
  const end = argv.indexOf("--");
  return argv.map((word, i) => {
    if (!word.startsWith("--") || (end >= 0 && i > end)) return word;
    const [name, ...value] = word.split("=");
    return [name!.replaceAll("_", "-"), ...value].join("=");
  });
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Error && "exitCode" in error && typeof error.exitCode === "number") {
    process.stderr.write(`assay: ${error.message}\n`);
    return error.exitCode;
  }
  process.stderr.write(
    `assay: this is a bug in Assay; please report it.\n${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return BUG;
}
