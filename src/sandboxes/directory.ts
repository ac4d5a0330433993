import { openCopy } from "./copy-workspace.ts";
import { programEnvironment } from "./environment.ts";
import { checkProgram } from "./find-program.ts";
import { limitedArgv } from "./limited-argv.ts";
import { makePrivateFolder, removeFolder } from "./private-folder.ts";
import { type ProgramSandbox, SandboxError, type SandboxedProgram } from "./sandbox.ts";
import { supervise } from "./supervise.ts";

/**
 * A copy of the task's files in a folder of its own; commands are ordinary processes of the user. It keeps runs apart
 * from each other, not from the machine: a model that is not trusted needs more than this.
 */
export const directory: ProgramSandbox = {
  name: "directory",
  description: "a copy of the files in a folder; commands run as your user, each in its own process group",
  isolates: [],
  open: async (files, options) => openCopy(directory, files, options),
  async execute(program) {
    refuseMoved(program);
    const tmp = makePrivateFolder(program.tmpParent);
    try {
      const env = programEnvironment(program.env, { cwd: program.cwd, tmp });
      checkProgram(program.argv[0]!, { cwd: program.cwd, path: env.PATH });
      const folders = [...program.writable.map(({ path }) => path), tmp];
      return await supervise(program, { argv: limitedArgv(program), cwd: program.cwd, env, folders });
    } finally {
      await removeFolder(tmp);
    }
  },
};

function refuseMoved({ writable, readable }: SandboxedProgram): void {
  const moved = [...writable, ...readable].find(({ path, as }) => as !== undefined && as !== path);
  if (moved) {
    throw new SandboxError(
      `the sandbox directory can't show ${moved.path} as ${moved.as}: it has no file system of its own. Choose bubblewrap or docker.`,
    );
  }
}
