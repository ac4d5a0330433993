import { isAbsolute } from "node:path";
import { type LiveStat, readStat } from "../../host/processes.ts";
import { codeOrSignal } from "../code-or-signal.ts";
import { openCopy } from "../copy-workspace.ts";
import { programEnvironment } from "../environment.ts";
import { checkProgram } from "../find-program.ts";
import { chooseForwarder } from "../forwarder.ts";
import { insidePath, isBelow } from "../inside-path.ts";
import { limitedArgv } from "../limited-argv.ts";
import { makePrivateFolder, removeFolder } from "../private-folder.ts";
import { openRelay, type Relay } from "../relay.ts";
import {
  type Mount,
  type ProgramResult,
  type ProgramSandbox,
  SandboxError,
  type SandboxedProgram,
} from "../sandbox.ts";
import { startOf } from "../start-of.ts";
import { supervise } from "../supervise.ts";
import { bubblewrapWords } from "./bubblewrap-words.ts";
import { findProblem } from "./find-problem.ts";
import { isShown, nameServersFile } from "./system-folders.ts";

const MOST_TASKS = 4096;

let problem: Promise<string | undefined> | undefined;

/** Debian's bubblewrap: namespaces of the kernel around each program, made in milliseconds and without a daemon. */
export const bubblewrap: ProgramSandbox = {
  name: "bubblewrap",
  description:
    "read-only system, own processes, no network, only the named folders; needs Linux and bubblewrap",
  isolates: ["files", "processes", "network"],
  problem() {
    problem ??= findProblem(executeIn);
    return problem;
  },
  open: async (files, options) => openCopy(bubblewrap, files, options),
  execute: executeIn,
};

async function executeIn(program: SandboxedProgram): Promise<ProgramResult> {
  const tmp = makePrivateFolder(program.tmpParent);
  const cwd = insidePath(program.cwd, program);
  const relay = await relayFor(program);
  const env = programEnvironment({ ...program.env, ...relay?.env }, { cwd, tmp: "/tmp" });
  const shown = relay ? { ...program, readable: [...program.readable, ...mountsOf(relay)] } : program;
  const limited = limitedArgv(program, MOST_TASKS);
  let status = "";
  let first: LiveStat | undefined;
  try {
    if (isOfMachine(program, cwd))
      checkProgram(program.argv[0]!, { cwd, path: env.PATH, isVisible: (path) => isShown(path, program) });
    const result = await supervise(program, {
      argv: ["bwrap", ...bubblewrapWords(shown, { cwd, tmp }), "--", ...(relay?.wrap(limited) ?? limited)],
      cwd: "/",
      env,
      folders: [...program.writable.map(({ path }) => path), tmp],
      onStatus: (text) => {
        status += text;
        first ??= readStat(Number(/"child-pid": (\d+)/.exec(status)?.[1]));
      },
      firstProcess: () => first,
    });
    // It tells a code once the program was started; without one it failed itself.
    if (result.ended === undefined && !status.includes('"exit-code"'))
      throw new SandboxError(`bubblewrap failed: ${startOf(program.stderrPath)}`);
    return { ...result, exitCode: codeOrSignal(result.exitCode) };
  } finally {
    await relay?.close();
    await removeFolder(tmp);
  }
}

async function relayFor(program: SandboxedProgram): Promise<Relay | undefined> {
  const { network, reach = [] } = program;
  if (network || reach.length === 0) return undefined;
  const forwarder = await chooseForwarder((path) => isShown(path, program));
  if (forwarder === undefined)
    throw new SandboxError(
      `bubblewrap hides ${process.execPath}, by which programs reach their models: name its folder in SANDBOX_READABLE, or set network: true`,
    );
  return openRelay(reach, forwarder);
}

function mountsOf({ mount, namesPath }: Relay): Mount[] {
  const place = nameServersFile();
  return place === undefined ? [mount] : [mount, { path: namesPath, as: place }];
}

/** Whether the program is looked for under its path on the machine, not in a folder that is shown under another one. */
function isOfMachine({ argv: [name = ""], cwd: realCwd, writable, readable }: SandboxedProgram, cwd: string) {
  if (!name.includes("/")) return true;
  if (!isAbsolute(name)) return cwd === realCwd;
  return [...writable, ...readable].every(({ as }) => as === undefined || !isBelow(name, as));
}
