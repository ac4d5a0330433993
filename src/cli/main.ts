import { closeSync, fstatSync } from "node:fs";
import { isatty } from "node:tty";
import { type Command, CommanderError } from "commander";
import { explainFileError, listenForDamage } from "../core/errors.ts";
import { inNewWords } from "./old-names.ts";
import { createProgram } from "./program.ts";
import { guardTerminal, printable, prose, room } from "./terminal.ts";

/** Names that an older pipeline has for options, where its last part is not ours as well. */
const DOTTED: Record<string, string> = {
  "summary.type": "summary",
  "summary.n": "last-n",
  "summary.percent": "share",
  "summary.percent-window": "window-end",
  "bootstrap.n-resamples": "resamples",
  "power.target-effect-size": "effect",
  "ttest.enabled": "method t",
  "output.csv-path": "csv",
};

const BUG = 70;
/** What a command that is over has left open, such as a connection to a server that is gone, keeps nobody for longer. */
const LINGER_MS = 1000;

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
  const { words, notes } = inNewWords(withHyphens(argv.slice(2)));
  for (const note of notes) process.stderr.write(`assay: ${note}\n`);
  try {
    const [first = ""] = words;
    const asked = first.startsWith("-") && words.length > 1 ? undefined : first;
    await createProgram(asked).parseAsync(words, { from: "user" });
  } catch (error) {
    process.exitCode = tell(explainFileError(error), words);
  }
  setTimeout(() => process.exit(), LINGER_MS).unref();
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
function withHyphens(words: string[]): string[] {
  const end = words.indexOf("--");
  return words.map((word, i) => {
    if (!word.startsWith("--") || (end >= 0 && i > end)) return word;
    const [name, ...value] = word.split("=");
    return [name!.replaceAll("_", "-"), ...value].join("=");
  });
}

/** Says what went wrong, to people on stderr and with --json also to programs on stdout; gives the exit code. */
function tell(error: unknown, words: readonly string[]): number {
  const { code, message } = describe(error, words);
  if (code === 0 || message === "") return code;
  process.stderr.write(`${prose(`assay: ${printable(message)}`, room(process.stderr))}\n`);
  if (words.includes("--json")) console.log(JSON.stringify({ error: { code, message } }));
  return code;
}

function describe(error: unknown, words: readonly string[]): { code: number; message: string } {
  if (error instanceof CommanderError) return describeUsage(error, words);
  if (error instanceof Error && "exitCode" in error && typeof error.exitCode === "number")
    return { code: error.exitCode, message: error.message };
  const stack = error instanceof Error ? error.stack : String(error);
  return { code: BUG, message: `this is a bug in Assay; please report it.\n${stack}` };
}

/** How the command was called: the library's message as one of ours, with a remedy. */
function describeUsage({ exitCode, code, message }: CommanderError, words: readonly string[]) {
  const [command = ""] = words;
  // It printed what was asked for, or help for want of a command.
  if (exitCode === 0 || code === "commander.help") return { code: exitCode === 0 ? 0 : 2, message: "" };
  const plain = message.replace(/^error: /, "").replaceAll(/\s*\n\s*/g, " ");
  const [, problem = plain, guess] = /^(.*?)\s*\((Did you mean .*\?)\)$/.exec(plain) ?? [];
  // Options of the user's own program, whose command line is not in quotes.
  const quotes = command === "try" && code === "commander.unknownOption" && !words[1]?.includes(" ");
  const hint = code === "commander.unknownOption" ? dottedHint(words, createProgram()).trim() : "";
  const remedy =
    hint !== ""
      ? hint
      : quotes
        ? `Put the program's command line in quotes: assay try 'python3 agent.py --model {model}' model=small,big.`
        : (guess ??
          `\`assay ${code === "commander.unknownCommand" ? "" : `${command} `}--help\` shows what there is.`);
  return { code: 2, message: `${problem.replace(/\.$/, "")}. ${remedy}` };
}

/** `--bootstrap.n_resamples` is `--resamples` here. */
export function dottedHint(argv: readonly string[], program: Command): string {
  const dotted = argv.find((word) => /^--\w[\w-]*\./.test(word));
  if (dotted === undefined) return "";
  const name = dotted.slice(2).split("=")[0]!;
  const option = DOTTED[name] ?? name.split(".").at(-1)!;
  const command = program.commands.find((one) => argv.includes(one.name()));
  const isKnown = command?.options.some(({ long }) => long === `--${option.split(" ")[0]}`);
  return isKnown ? `Here it is --${option}.\n` : "Options have no dots: `assay COMMAND --help` lists them.\n";
}
