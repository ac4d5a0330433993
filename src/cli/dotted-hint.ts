import type { Command } from "commander";

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
