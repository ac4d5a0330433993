import type { Command } from "commander";
import { shellWord } from "../core/shell-word.ts";

/** A completion script for commands and options; file names complete as usual. */
export function completion(shell: string, program: Command): void {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: command.options.map((option) => ({ long: option.long ?? "", description: option.description })),
  }));
  console.log(SCRIPTS[shell]!(commands));
}

type Commands = { name: string; description: string; options: { long: string; description: string }[] }[];

const SCRIPTS: Record<string, (commands: Commands) => string> = {
  bash: (commands) => `_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names(commands)}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options }) => `    ${name}) [[ "$current" == -* ]] && COMPREPLY=($(compgen -W "${options.map(({ long }) => long).join(" ")}" -- "$current")) ;;`).join("\n")}
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
${commands.map(({ name, options }) => `    ${name}) _arguments ${options.map(({ long, description }) => shellWord(`${long}[${description.replaceAll(/[[\]:]/g, " ")}]`)).join(" ")} "*:file:_files" ;;`).join("\n")}
  esac
}
compdef _assay assay`,
  fish: (commands) =>
    commands
      .flatMap(({ name, description, options }) => [
        `complete -c assay -n __fish_use_subcommand -a ${name} -d ${shellWord(description)}`,
        ...options.map(
          ({ long, description: text }) =>
            `complete -c assay -n "__fish_seen_subcommand_from ${name}" -l ${long.slice(2)} -d ${shellWord(text)}`,
        ),
      ])
      .join("\n"),
};

function names(commands: Commands): string {
  return commands.map(({ name }) => name).join(" ");
}
