import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readNamed } from "../../host/files.ts";

/**
 * A Python file with the modules of its project that it imports, and theirs. A module is of the project where it lies
 * beside the file, below a folder of `roots`, or relative to who imports it; all others are packages.
 */
export function pythonFiles(entry: string, roots: readonly string[] = []): string[] {
  const found = new Set<string>();
  const places = [dirname(resolve(entry)), ...roots.map((root) => resolve(root))];
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const { module, level, names } of importsIn(readNamed(path))) {
      const bases = level === 0 ? places : [above(dirname(path), level - 1)];
      for (const base of bases) {
        const files = filesOf(base, module, names);
        for (const file of files) visit(file);
        if (files.length > 0) break;
      }
    }
  };
  visit(resolve(entry));
  return [...found].sort();
}

interface Import {
  module: string[];
  /** Dots in front: 1 is the folder of the file. */
  level: number;
  /** What is taken from it, which may be modules again. */
  names: string[];
}

/** Import statements, wherever they stand in the text; one within a string does no harm. */
function importsIn(text: string): Import[] {
  const imports: Import[] = [];
  const lines = text
    .replaceAll(/\\\n/g, " ")
    .replaceAll(/\([^()]*\)/g, (inside) => inside.replaceAll("\n", " "));
  for (const [, list] of lines.matchAll(/^[ \t]*import[ \t]+([\w., \t]+)/gm)) {
    for (const part of list!.split(",")) {
      const name = part.trim().split(/\s+/)[0]!;
      if (name !== "") imports.push({ module: name.split("."), level: 0, names: [] });
    }
  }
  for (const [, dots, name, list] of lines.matchAll(
    /^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([\w., \t*]+)/gm,
  )) {
    const names = list!.split(",").map((part) => part.trim().split(/\s+/)[0]!);
    imports.push({ module: name!.split(".").filter(Boolean), level: dots!.length, names });
  }
  return imports;
}

/** The packages on the way to a module, the module, and those of `names` that are modules. */
function filesOf(base: string, module: readonly string[], names: readonly string[]): string[] {
  const files: string[] = [];
  let place = base;
  for (const [i, part] of module.entries()) {
    const folder = join(place, part);
    const file = [`${folder}/__init__.py`, `${folder}.py`].find(isFile);
    if (file) files.push(file);
    else if (!isFolder(folder)) return i === 0 ? [] : files;
    place = folder;
  }
  for (const name of names) {
    const file = [`${place}/${name}.py`, `${place}/${name}/__init__.py`].find(isFile);
    if (file) files.push(file);
  }
  return files;
}

function above(folder: string, levels: number): string {
  return levels <= 0 ? folder : above(dirname(folder), levels - 1);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
