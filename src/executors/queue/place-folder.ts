import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { RUN_FILES } from "../../core/study-folder.ts";

/**
 * Puts a run's folder that came from a worker in its place. What an earlier try left there moves to `earlier/<n>`
 * in it; the same folder once more (a coordinator died before it could say that it had it) replaces itself.
 */
export function placeFolder(arrived: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true });
  if (existsSync(place)) {
    if (isSame(arrived, place)) rmSync(place, { recursive: true });
    else keepEarlier(arrived, place);
  }
  renameSync(arrived, place);
}

function keepEarlier(arrived: string, place: string): void {
  const earlier = join(arrived, RUN_FILES.earlier);
  const before = join(place, RUN_FILES.earlier);
  if (existsSync(before)) {
    rmSync(earlier, { recursive: true, force: true });
    renameSync(before, earlier);
  }
  if (readdirSync(place).length === 0) {
    rmSync(place, { recursive: true });
    return;
  }
  mkdirSync(earlier, { recursive: true });
  renameSync(place, join(earlier, String(readdirSync(earlier).length + 1)));
}

function isSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((dir) => join(dir, RUN_FILES.meta));
  return existsSync(first!) && existsSync(second!) && readFileSync(first!).equals(readFileSync(second!));
}
