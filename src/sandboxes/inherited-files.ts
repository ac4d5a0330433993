import { openSync, readdirSync, readFileSync } from "node:fs";

const O_CLOEXEC = 0o2000000;
let known: ("ignore" | number)[] | undefined;

/**
 * What a child's descriptors from 3 on are to be, so that it gets no file that whoever started us left open: a folder
 * among them would be a way out of any sandbox. Ours do not pass to children anyway.
 */
export function inheritedFiles(): ("ignore" | "pipe" | number)[] {
  known ??= closedFiles();
  return known;
}

function closedFiles(): ("ignore" | number)[] {
  const files: ("ignore" | number)[] = ["ignore"];
  const inherited = listFiles().filter((file) => file > 2 && isInherited(file));
  if (inherited.length === 0) return files;
  const nothing = openSync("/dev/null", "r");
  for (const file of inherited) {
    while (files.length <= file - 3) files.push("ignore");
    files[file - 3] = nothing;
  }
  return files;
}

function listFiles(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isInherited(file: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false;
  }
}
