import { remember } from "./remember.ts";

/** What the model writes down for itself, one line each. */
export type Note =
  | { kind: "failing"; names: string[] }
  | { kind: "passing" }
  | { kind: "defined"; name: string; path: string }
  | { kind: "told"; name: string; path: string }
  | { kind: "checked"; name: string; uses: string[] }
  | { kind: "rule"; rule: string; path: string }
  | { kind: "edited"; path: string }
  | { kind: "again" };

export function noteText(note: Note): string {
  return `Note: ${body(note)}.`;
}

function body(note: Note): string {
  switch (note.kind) {
    case "failing":
      return `the tests fail for ${list(note.names)}`;
    case "passing":
      return "the tests pass";
    case "defined":
      return `\`${note.name}\` is defined in ${note.path}`;
    case "told":
      return `\`${note.name}\` is described in ${note.path}`;
    case "checked":
      return `\`${note.name}\` looks right; it uses ${list(note.uses)}`;
    case "rule":
      return `${note.path} asks for \`${note.rule}\``;
    case "edited":
      return `I changed ${note.path}`;
    case "again":
      return "nothing was wrong anywhere, so I look at everything again";
  }
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "nothing more" : names.map((name) => `\`${name}\``).join(", ");
}

const names = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const READERS: [RegExp, (found: RegExpExecArray) => Note][] = [
  [/^the tests fail for (.*)$/, ([, text]) => ({ kind: "failing", names: names(text!) })],
  [/^the tests pass$/, () => ({ kind: "passing" })],
  [/^`([^`]+)` is defined in (\S+)$/, ([, name, path]) => ({ kind: "defined", name: name!, path: path! })],
  [/^`([^`]+)` is described in (\S+)$/, ([, name, path]) => ({ kind: "told", name: name!, path: path! })],
  [
    /^`([^`]+)` looks right; it uses (.*)$/,
    ([, name, text]) => ({ kind: "checked", name: name!, uses: names(text!) }),
  ],
  [/^(\S+) asks for `([^`]+)`$/, ([, path, rule]) => ({ kind: "rule", rule: rule!, path: path! })],
  [/^I changed (\S+)$/, ([, path]) => ({ kind: "edited", path: path! })],
  [/^nothing was wrong anywhere/, () => ({ kind: "again" })],
];

/** The notes in a text, in order, also where a summary lists them. */
export const readNotes = remember((text: string): readonly Note[] => {
  const notes: Note[] = [];
  for (const [, line] of text.matchAll(/^[\s>*-]*Note: (.*?)\.?\s*$/gm)) {
    for (const [pattern, read] of READERS) {
      const found = pattern.exec(line!);
      if (!found) continue;
      notes.push(read(found));
      break;
    }
  }
  return notes;
});
