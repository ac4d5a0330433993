import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Files that others wrote, to prove that they are read as they are. They are not ours to distribute, so they lie beside
 * the repository, in ../shared/data: without them `names` is empty, and the tests that need them are skipped and say so
 * by `note`, which belongs into their name.
 */
export function outsideFiles(folder: "bench-specs" | "outcomes" | "trajectories" | "wandb-sweeps") {
  const dir = fileURLToPath(new URL(`../../../shared/data/${folder}`, import.meta.url));
  const isHere = existsSync(dir);
  return {
    isHere,
    names: isHere ? readdirSync(dir).sort() : [],
    path: (name: string) => join(dir, name),
    note: isHere ? "" : ` (skipped: ../shared/data/${folder} is absent)`,
  };
}
