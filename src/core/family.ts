import { UserError } from "./errors.ts";
import { suggestion } from "./suggest.ts";

/** Families that a file in a study's `plugins:` can add to, and the functions that each asks of a member. */
export const FAMILIES = {
  instrument: ["start"],
  executor: ["create"],
  reporter: ["render"],
  sink: ["open"],
  searcher: ["ask"],
  stopper: ["judge"],
  model: ["connect"],
  sandbox: ["open"],
  importer: ["claims", "read"],
} as const;

export type FamilyName = keyof typeof FAMILIES;

/** The version of what plugins and Assay ask of each other: the one that this Assay has, and the oldest that it serves. */
export const PLUGIN_API = { current: 1, oldest: 1 };

/** What every member of a family says of itself. */
export interface Member {
  name: string;
  description?: string;
  /** The version of the plugin API that it was written for; 1 where it says nothing. */
  api?: number;
}

/** Files of users are loaded apart from this code, so the mark must be one that both know. */
const MARK = Symbol.for("assay.family");

/** Says which family a user's member belongs to. */
export function markMember<M extends object>(family: FamilyName, member: M): M {
  Object.defineProperty(member, MARK, { value: family, configurable: true });
  return member;
}

/** Which family something from a user's file belongs to; an instrument that nobody marked is known by its start. */
export function familyOf(member: unknown): FamilyName | undefined {
  if (typeof member !== "object" || member === null) return undefined;
  const marked = (member as { [MARK]?: FamilyName })[MARK];
  if (marked !== undefined) return marked;
  return typeof (member as { start?: unknown }).start === "function" ? "instrument" : undefined;
}

interface Own {
  member: Member;
  /** The file that declares it. */
  from: string;
}

const own = new Map<FamilyName, Map<string, Own>>();
const registries = new Map<FamilyName, Record<string, Member>>();

/** Makes a registry known, so that what users' files declare joins what ships; gives the registry. */
export function openFamily<M>(family: FamilyName, shipped: Record<string, M>): Readonly<Record<string, M>> {
  const registry = { ...shipped } as Record<string, M>;
  registries.set(family, registry as Record<string, Member>);
  for (const [name, { member }] of own.get(family) ?? []) registry[name] = member as M;
  return registry;
}

/** Adds what a user's file declares. A name stands for one thing in a whole process. */
export function addMember(family: FamilyName, member: Member, from: string): void {
  checkMember(family, member, from);
  const { name } = member;
  const members = own.get(family) ?? new Map<string, Own>();
  own.set(family, members);
  const before = members.get(name);
  if (before && before.from !== from)
    throw new UserError(`two files declare the ${family} "${name}"`, {
      got: `${before.from} and ${from}`,
      remedy: "Give one of them another name.",
    });
  const registry = registries.get(family);
  if (!before && registry && Object.hasOwn(registry, name))
    throw new UserError(`${from} declares the ${family} "${name}", which ships with Assay`, {
      remedy: "Give yours another name.",
    });
  members.set(name, { member, from });
  if (registry) registry[name] = member;
}

/** What users' files have added to a family: all of it, or what some of the files declare. */
export function ownMembers<M extends Member>(family: FamilyName, files?: readonly string[]): M[] {
  const members = [...(own.get(family)?.values() ?? [])];
  return members
    .filter(({ from }) => files === undefined || files.includes(from))
    .map(({ member }) => member as M);
}

function checkMember(family: FamilyName, member: Member, from: string): void {
  const lacks = [
    ...(typeof member.name === "string" && member.name !== "" ? [] : ["name"]),
    ...FAMILIES[family].filter((key) => typeof (member as never)[key] !== "function"),
  ];
  if (lacks.length > 0)
    throw new UserError(`${from} declares ${aOrAn(family)} without ${lacks.join(" and ")}`, {
      expected: `${defineName(family)}({${["name", "description", ...FAMILIES[family]].join(", ")}})`,
    });
  checkApi(member, { family, from });
}

export function checkApi(
  { name, api = 1 }: Member,
  { family, from }: { family: FamilyName; from: string },
  { current, oldest } = PLUGIN_API,
): void {
  if (api >= oldest && api <= current && Number.isInteger(api)) return;
  const served = oldest === current ? `${current}` : `${oldest} to ${current}`;
  throw new UserError(`the ${family} "${name}" is for version ${api} of the plugin API`, {
    place: { file: from },
    expected: `version ${served}, which this Assay serves`,
    remedy:
      api > current
        ? "Update Assay, or use an earlier version of the plugin."
        : "Update the plugin; docs/extending.md says what has changed.",
  });
}

export function defineName(family: FamilyName): string {
  return `define${family[0]!.toUpperCase()}${family.slice(1)}`;
}

function aOrAn(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** The member of a registry by its name, or a mistake with those that there are. */
export function findMember<M>(registry: Readonly<Record<string, M>>, what: string, name: string): M {
  if (Object.hasOwn(registry, name)) return registry[name]!;
  throw new UserError(`there is no ${what} "${name}"`, { remedy: suggestion(name, Object.keys(registry)) });
}
