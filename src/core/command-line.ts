import { UserError } from "./errors.ts";

/** The words of a command line as a shell would split it, without any other meaning that a shell gives them. */
export function splitWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [piece] of command.matchAll(/'[^']*'|"(?:\\.|[^"\\])*"|\\.|\s+|[^\s'"\\]+|./gs)) {
    if (/^\s/.test(piece)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    if (piece === "'" || piece === '"')
      throw new UserError(`a ${piece} in the command is not closed`, { got: command });
    const isQuoted = /^['"\\]/.test(piece);
    const operator = isQuoted ? undefined : /[|;&<>`]|\$\(/.exec(piece)?.[0];
    if (operator !== undefined)
      throw new UserError(
        `"${operator}" in the command needs a shell, and Assay starts programs without one`,
        { remedy: "Put the line into a script, and start that: sh run.sh." },
      );
    word = (word ?? "") + unquoted(piece);
  }
  if (word !== undefined) words.push(word);
  return words;
}

function unquoted(piece: string): string {
  if (piece.startsWith("'")) return piece.slice(1, -1);
  if (piece.startsWith('"')) return piece.slice(1, -1).replaceAll(/\\(["\\$`])/g, "$1");
  return piece.startsWith("\\") ? piece.slice(1) : piece;
}
