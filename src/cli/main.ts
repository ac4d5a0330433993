import { CommanderError } from "commander";
import { asMachineError } from "../core/errors.ts";
import { createProgram } from "./program.ts";

const BUG = 70;

/** Runs one command line; the exit code says how it went. */
export async function main(argv: string[]): Promise<void> {
  // A reader that has seen enough (`assay ... | head`) is no fault.
  process.stdout.on("error", (error: NodeJS.ErrnoException) =>
    process.exit(error.code === "EPIPE" ? 0 : BUG),
  );
  try {
    await createProgram().parseAsync(withHyphens(argv));
  } catch (error) {
    process.exitCode = exitCodeOf(asMachineError(error));
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
