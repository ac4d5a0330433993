import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorText } from "../core/errors.ts";
import { openFolder } from "./folder-workspace.ts";
import { ownTempFolder, removeFolder } from "./private-folder.ts";
import {
  type FileTree,
  type OpenOptions,
  type ProgramSandbox,
  SandboxError,
  type TreeRest,
  type Workspace,
} from "./sandbox.ts";

/** A workspace on a copy of these files, in a new folder that goes with it. */
export function openCopy(
  sandbox: ProgramSandbox,
  files: FileTree,
  { parentDir, rest }: OpenOptions,
): Workspace {
  try {
    const root = copyTo(files, rest, parentDir);
    const workspace = openFolder(sandbox, root);
    return {
      run: (command, limits) => workspace.run(command, limits),
      read: (path) => workspace.read(path),
      write: (path, text) => workspace.write(path, text),
      snapshot: (options) => workspace.snapshot(options),
      async close() {
        await workspace.close();
        await removeFolder(root);
      },
    };
  } catch (error) {
    throw new SandboxError(`the workspace could not be made: ${errorText(error)}`);
  }
}

function copyTo(files: FileTree, rest: TreeRest | undefined, parentDir: string | null): string {
  if (parentDir !== null) mkdirSync(parentDir, { recursive: true });
  const root = realpathSync(mkdtempSync(join(parentDir ?? ownTempFolder(), "workspace-")));
  const made = new Set<string>();
  const place = (path: string) => {
    const full = join(root, path);
    const folder = dirname(full);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    return full;
  };
  for (const [path, text] of files)
    writeFileSync(place(path), text, rest?.executables.has(path) ? { mode: 0o755 } : {});
  if (!rest) return root;
  // Where a patch put a text in their place, that stays. Links come last, so that nothing is written through one.
  const isFree = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false }) === undefined;
  for (const [path, from] of rest.copies) if (isFree(path)) copyFileSync(from, place(path));
  for (const [path, to] of rest.links) if (isFree(path)) symlinkSync(to, place(path));
  return root;
}
