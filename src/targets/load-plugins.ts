import { UserError } from "../core/errors.ts";
import { addMember, defineName, FAMILIES, type FamilyName, familyOf, type Member } from "../core/family.ts";
import { loadModule } from "./load-module.ts";

const loaded = new Map<string, Promise<Declared[]>>();

export interface Declared {
  family: FamilyName;
  member: Member;
}

/** Loads users' files and adds what they declare to its families: once in a process. */
export async function loadPlugins(paths: readonly string[]): Promise<Declared[]> {
  const all: Declared[] = [];
  for (const path of paths) {
    if (!loaded.has(path)) loaded.set(path, declare(path));
    all.push(...(await loaded.get(path)!));
  }
  return all;
}

/** The one member of a family that a file declares, for options that take a name or a file. */
export async function loadMember<M extends Member>(family: FamilyName, path: string): Promise<M> {
  if (!loaded.has(path)) loaded.set(path, declare(path, family));
  const found = (await loaded.get(path)!).find((one) => one.family === family);
  if (found) return found.member as M;
  throw new UserError(`${family} file ${path} exports no ${family}`, { expected: exportOf(family) });
}

async function declare(path: string, meant?: FamilyName): Promise<Declared[]> {
  const exported = await loadModule(path, meant ?? "plugin");
  const members = Array.isArray(exported) ? exported : [exported];
  const declared = members.map((member) => ({ family: familyOf(member), member: member as Member }));
  if (members.length === 0 || declared.some(({ family }) => family === undefined)) {
    const got = describe(declared.find(({ family }) => family === undefined)?.member);
    if (meant !== undefined)
      throw new UserError(`${meant} file ${path} exports no ${meant}`, { expected: exportOf(meant), got });
    throw new UserError(`plugin file ${path} exports nothing that Assay knows`, {
      expected: `${exportOf("reporter")}, or another of ${Object.keys(FAMILIES).join(", ")}, or a list of them`,
      got,
      remedy: "A target is named by its path: target: ./file.ts",
    });
  }
  for (const { family, member } of declared) addMember(family!, member, path);
  return declared as Declared[];
}

function exportOf(family: FamilyName): string {
  return `export default ${defineName(family)}({name, description, ${FAMILIES[family].join(", ")}})`;
}

function describe(value: unknown): string {
  if (typeof value !== "object" || value === null) return "no default export";
  return `keys ${Object.keys(value).join(", ") || "(none)"}`;
}
