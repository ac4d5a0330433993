import { basename } from "node:path";
import type { Command } from "commander";
import { findStudy, latestRecords, listStudies, readStudyFile } from "../archive/read-records.ts";
import { shellWord } from "../core/escape.ts";
import { nameOf } from "../core/params.ts";

/** A completion script: commands, options, their values, studies with their metrics and arms; files as usual. */
export function completion(shell: string, program: Command): void {
  const all = program.commands.filter((command) => command.name() !== "__values");
  const commands = all.map((command) => ({
    name: command.name(),
    description: command.summary(),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map(({ long, description, argChoices }) => ({
        long: long ?? "",
        description,
        choices: argChoices ?? [],
      })),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    takesStudy: /\bstud(y|ies)\b(?! file)/.test(command.registeredArguments[0]?.description ?? ""),
  }));
  console.log(SCRIPTS[shell]!(commands));
}

/** What a word may be that only the studies here can tell, one a line; nothing where something is wrong. */
export function values(kind: string, name: string | undefined): void {
  try {
    for (const word of valuesOf(kind, name)) console.log(word);
  } catch {
    // A shell that completes has no use for a message.
  }
}

function valuesOf(kind: string, name: string | undefined): Iterable<string> {
  if (kind === "study") return listStudies().map((dir) => basename(dir));
  if (name === undefined) return [];
  const dir = findStudy(name);
  const { axes = [], variants = [] } = readStudyFile(dir)?.study ?? {};
  if (kind === "metric") return new Set(latestRecords(dir).flatMap(({ metrics }) => Object.keys(metrics)));
  if (kind === "by")
    return [...axes.flatMap(({ names }) => names), ...(variants.length > 1 ? ["variant"] : [])];
  const arms = axes.flatMap(({ rows }) => rows.flatMap((row) => row.map((value) => nameOf(value))));
  return [...new Set([...arms, ...variants.map((variant) => variant.name)])].filter(
    (word) => !/\s/.test(word),
  );
}

/** Options whose values the study itself tells. */
const OF_STUDY = ["--metric", "--by", "--baseline", "--candidate"];

interface Completed {
  name: string;
  description: string;
  options: { long: string; description: string; choices: readonly string[] }[];
  /** What its first argument may be, where that is one of a few words. */
  choices: readonly string[];
  takesStudy: boolean;
}
type Commands = Completed[];

const SCRIPTS: Record<string, (commands: Commands) => string> = {
  bash: (commands) => `_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" assay="\${COMP_WORDS[0]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names(commands)}" -- "$current"))
    return
  fi
  case "$previous" in
    ${OF_STUDY.join("|")}) COMPREPLY=($(compgen -W "$("$assay" __values "\${previous#--}" "\${COMP_WORDS[2]}" 2>/dev/null)" -- "$current")); return ;;
  esac
  case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(bashValues).join("\n")}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(bashCase).join("\n")}
  esac
}
complete -o default -F _assay assay`,
  zsh: (commands) => `#compdef assay
_assay() {
  if (( CURRENT == 2 )); then
    local -a commands=(${commands.map(({ name, description }) => shellWord(`${name}:${description}`)).join(" ")})
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(zshCase).join("\n")}
  esac
}
# Loaded from a folder of $fpath, this file is the function itself.
if [ "$funcstack[1]" = _assay ]; then _assay "$@"; else compdef _assay assay; fi`,
  fish: (commands) =>
    commands
      .flatMap(({ name, description, options, choices, takesStudy }) => [
        `complete -c assay -n __fish_use_subcommand -a ${name} -d ${shellWord(description)}`,
        ...choices.map((word) => `complete -c assay -n "__fish_seen_subcommand_from ${name}" -f -a ${word}`),
        ...(takesStudy
          ? [`complete -c assay -n "__fish_seen_subcommand_from ${name}" -a "(assay __values study)"`]
          : []),
        ...options.map(
          (option) =>
            `complete -c assay -n "__fish_seen_subcommand_from ${name}" -l ${option.long.slice(2)}${fishValues(option)} -d ${shellWord(option.description)}`,
        ),
      ])
      .join("\n"),
};

/** The values of options that have a few. */
function bashValues({ name, options }: Completed): string[] {
  return options
    .filter(({ choices }) => choices.length > 0)
    .map(({ long, choices }) => `    "${name} ${long}") ${bashWords(choices)}; return ;;`);
}

function bashWords(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$current"))`;
}

function bashCase({ name, options, choices, takesStudy }: Completed): string {
  const option = `[[ "$current" == -* ]] && ${bashWords(options.map(({ long }) => long))}`;
  const first =
    choices.length > 0
      ? bashWords(choices)
      : takesStudy
        ? `COMPREPLY=($(compgen -W "$("$assay" __values study 2>/dev/null)" -- "$current"))`
        : "";
  if (first === "") return `    ${name}) ${option} ;;`;
  return `    ${name}) ${option}; [ "$COMP_CWORD" -eq 2 ] && [[ "$current" != -* ]] && ${first} ;;`;
}

function zshCase({ name, options, choices, takesStudy }: Completed): string {
  const words = options.map(({ long, description, choices: few }) => {
    const values =
      few.length > 0
        ? `:value:(${few.join(" ")})`
        : OF_STUDY.includes(long)
          ? `:value:{compadd -- \${(f)"$(assay __values ${long.slice(2)} $words[3] 2>/dev/null)"}}`
          : "";
    return shellWord(`${long}[${description.replaceAll(/[[\]:]/g, " ")}]${values}`);
  });
  const first =
    choices.length > 0
      ? [`"2:what:(${choices.join(" ")})"`]
      : takesStudy
        ? [shellWord('2:study:{compadd -- ${(f)"$(assay __values study 2>/dev/null)"}; _files}')]
        : [];
  return `    ${name}) _arguments ${[...words, ...first].join(" ")} "*:file:_files" ;;`;
}

function fishValues({ long, choices }: Completed["options"][number]): string {
  if (choices.length > 0) return ` -xa ${shellWord(choices.join(" "))}`;
  return OF_STUDY.includes(long) ? ` -xa "(assay __values ${long.slice(2)} (commandline -opc)[3])"` : "";
}

function names(commands: Commands): string {
  return commands.map(({ name }) => name).join(" ");
}
