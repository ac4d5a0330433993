import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { errorText } from "../core/errors.ts";
import { inside, readInside, readTree } from "./read-tree.ts";
import { runCommand } from "./run-command.ts";
import { type FileTree, type Sandbox, SandboxError, type Workspace } from "./sandbox.ts";

/**
 * A copy of the task's files in a folder of its own; commands are ordinary processes of the user. It keeps runs apart
 * from each other, not from the machine: a model that is not trusted needs more than this.
 */
export const directory: Sandbox = {
  name: "directory",
  description: "a copy of the files in a folder; commands run as processes of yours, in a group of their own",
  async open(files, { parentDir }) {
    try {
      return new DirectoryWorkspace(copyTo(files, parentDir));
    } catch (error) {
      throw new SandboxError(`the workspace could not be made: ${errorText(error)}`);
    }
  },
};

class DirectoryWorkspace implements Workspace {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  run(command: string, limits: Parameters<Workspace["run"]>[1]) {
    return runCommand(command, { cwd: this.#root, ...limits });
  }

  async read(path: string) {
    return readInside(this.#root, path);
  }

  async write(path: string, text: string) {
    try {
      const full = join(this.#root, path);
      mkdirSync(dirname(full), { recursive: true });
      if (!inside(this.#root, path)) return false;
      writeFileSync(full, text);
      return true;
    } catch {
      return false;
    }
  }

  async snapshot() {
    return readTree(this.#root);
  }

  async close() {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
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
