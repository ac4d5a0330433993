import type { Command } from "commander";
import { shellWord } from "../core/shell-word.ts";

/** A completion script for commands, options and words to choose from; file names complete as usual. */
export function completion(shell: string, program: Command): void {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: command.options.map((option) => ({ long: option.long ?? "", description: option.description })),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }));
  console.log(SCRIPTS[shell]!(commands));
}

interface Completed {
  name: string;
  description: string;
  options: { long: string; description: string }[];
  /** What its first argument may be, where that is one of a few words. */
  choices: readonly string[];
}
type Commands = Completed[];

const SCRIPTS: Record<string, (commands: Commands) => string> = {
  bash: (commands) => `_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names(commands)}" -- "$current"))
    return
  fi
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
${commands.map(({ name, options, choices }) => `    ${name}) _arguments ${options.map(({ long, description }) => shellWord(`${long}[${description.replaceAll(/[[\]:]/g, " ")}]`)).join(" ")} ${choices.length > 0 ? `"2:what:(${choices.join(" ")})" ` : ""}"*:file:_files" ;;`).join("\n")}
  esac
}
compdef _assay assay`,
  fish: (commands) =>
    commands
      .flatMap(({ name, description, options, choices }) => [
        `complete -c assay -n __fish_use_subcommand -a ${name} -d ${shellWord(description)}`,
        ...choices.map((word) => `complete -c assay -n "__fish_seen_subcommand_from ${name}" -a ${word}`),
        ...options.map(
          ({ long, description: text }) =>
            `complete -c assay -n "__fish_seen_subcommand_from ${name}" -l ${long.slice(2)} -d ${shellWord(text)}`,
        ),
      ])
      .join("\n"),
};

function bashCase({ name, options, choices }: Completed): string {
  const complete = (words: readonly string[]) =>
    `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$current"))`;
  const option = `[[ "$current" == -* ]] && ${complete(options.map(({ long }) => long))}`;
  if (choices.length === 0) return `    ${name}) ${option} ;;`;
  return `    ${name}) ${option}; [ "$COMP_CWORD" -eq 2 ] && [[ "$current" != -* ]] && ${complete(choices)} ;;`;
}

function names(commands: Commands): string {
  return commands.map(({ name }) => name).join(" ");
}
