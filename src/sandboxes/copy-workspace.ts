import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { errorText } from "../core/errors.ts";
import { openFolder } from "./folder-workspace.ts";
import { removeFolder } from "./private-folder.ts";
import {
  type FileTree,
  type OpenOptions,
  type ProgramSandbox,
  SandboxError,
  type Workspace,
} from "./sandbox.ts";

/** A workspace on a copy of these files, in a new folder that goes with it. */
export function openCopy(sandbox: ProgramSandbox, files: FileTree, { parentDir }: OpenOptions): Workspace {
  try {
    const root = copyTo(files, parentDir);
    const workspace = openFolder(sandbox, root);
    return {
      run: (command, limits) => workspace.run(command, limits),
      read: (path) => workspace.read(path),
      write: (path, text) => workspace.write(path, text),
      snapshot: () => workspace.snapshot(),
      async close() {
        await workspace.close();
        await removeFolder(root);
      },
    };
  } catch (error) {
    throw new SandboxError(`the workspace could not be made: ${errorText(error)}`);
  }
}

function copyTo(files: FileTree, parentDir: string | null): string {
  if (parentDir !== null) mkdirSync(parentDir, { recursive: true });
  const root = realpathSync(mkdtempSync(join(parentDir ?? tmpdir(), "workspace-")));
  const made = new Set<string>();
  for (const [path, text] of files) {
    const full = join(root, path);
    const folder = dirname(full);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true });
    made.add(folder);
    writeFileSync(full, text);
  }
  return root;
}
