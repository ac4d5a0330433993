export interface LockEntry {
  version?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

export interface Lock {
  packages: Record<string, LockEntry>;
}

/** Licences that let a program under the MIT licence depend on a package as it is. */
const ALLOWED = [
  "MIT",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "MPL-2.0",
  "BlueOak-1.0.0",
];

/** Packages that name no licence by its identifier, and what was read in them instead. */
const READ_BY_HAND: Record<string, string> = {
  "dejavu-fonts-ttf": "Bitstream Vera: free to use, embed and pass on, not to be sold by itself",
};

/** What Assay's users install, under a licence that nobody has allowed: one line each. */
export function licenceProblems({ packages }: Lock): string[] {
  const problems: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.startsWith("node_modules/") || entry.dev || entry.link) continue;
    const name = nameOf(path);
    const licence = entry.license ?? licenceOfFamily(name, packages);
    if (!isAllowed(licence) && !(name in READ_BY_HAND))
      problems.push(`${name}@${entry.version}: ${licence ?? "names no licence"}`);
  }
  return problems;
}

/** Packages that `npm ci` can't check, though they are none of another platform's optional binaries. */
export function uncheckedPackages({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const { integrity, link, optional, os, cpu } = entry;
    if (!path.startsWith("node_modules/") || link || integrity !== undefined) return [];
    return optional && (os || cpu) ? [] : [nameOf(path)];
  });
}

/** A platform's binary has the licence of the package that it is a part of. */
function licenceOfFamily(name: string, packages: Lock["packages"]): string | undefined {
  return Object.values(packages).find(({ optionalDependencies }) => name in (optionalDependencies ?? {}))
    ?.license;
}

/** One of several to choose from is enough. */
function isAllowed(licence: string | undefined): boolean {
  const words = (licence ?? "").replace(/^\((.*)\)$/, "$1").split(" OR ");
  return words.some((word) => ALLOWED.includes(word));
}

function nameOf(path: string): string {
  return path.split("node_modules/").at(-1)!;
}
