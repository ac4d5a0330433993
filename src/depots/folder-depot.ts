import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../core/errors.ts";
import type { Depot } from "./depot.ts";

/** A folder, such as one that all machines share. */
export function folderDepot(address: string): Depot {
  const root = resolve(address);
  return {
    label: address,
    async list(beginning) {
      const below = join(root, beginning);
      if (!existsSync(below)) return [];
      return readdirSync(below, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    },

    async put(name, path) {
      const target = join(root, name);
      mkdirSync(dirname(target), { recursive: true });
      // Others list the folder meanwhile, and another machine may be at the same object.
      const partial = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
      try {
        copyFileSync(path, partial);
        const file = await open(partial, "r+");
        await file.sync().finally(() => file.close());
        renameSync(partial, target);
      } finally {
        rmSync(partial, { force: true });
      }
    },

    async get(name, path) {
      const source = join(root, name);
      if (!existsSync(source)) throw new UserError(`${name} is not in ${address}`);
      copyFileSync(source, path);
    },

    async delete(name) {
      rmSync(join(root, name), { force: true });
    },

    close() {},
  };
}
