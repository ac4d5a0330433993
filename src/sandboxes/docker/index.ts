import { randomUUID } from "node:crypto";
import { codeOrSignal } from "../code-or-signal.ts";
import { openCopy } from "../copy-workspace.ts";
import { programEnvironment } from "../environment.ts";
import { insidePath } from "../inside-path.ts";
import { makePrivateFolder, removeFolder } from "../private-folder.ts";
import {
  MissingProgramError,
  type ProgramResult,
  type ProgramSandbox,
  SandboxError,
  type SandboxedProgram,
} from "../sandbox.ts";
import { startOf } from "../start-of.ts";
import { supervise } from "../supervise.ts";
import { askDocker, removeContainer } from "./docker-client.ts";
import { dockerWords, isClients } from "./docker-words.ts";

/** The client's own failures, such as an image that is not there. */
const CLIENT_FAILED = 125;
const KILLED = 137;

/** A container a program, by the docker client. What the program finds there is the image's, not the machine's. */
export const docker: ProgramSandbox = {
  name: "docker",
  description: "a container of an image of yours, no network, only the named folders; needs a docker engine",
  isolates: ["files", "processes", "network"],
  async problem() {
    const { isOk, stderr, isMissing } = await askDocker("version", "--format", "{{.Server.Version}}");
    if (isOk) return undefined;
    if (isMissing) return "the program docker is not installed. On Debian: apt-get install docker.io";
    return `the docker engine can't be used (${stderr}). Start it (systemctl start docker), or become a member of the group docker.`;
  },
  open: async (files, options) => openCopy(docker, files, options),
  execute,
};

async function execute(program: SandboxedProgram): Promise<ProgramResult> {
  const image = program.image ?? process.env.SANDBOX_IMAGE;
  if (!image)
    throw new SandboxError("the sandbox docker needs an image: the task's own, or one in SANDBOX_IMAGE");
  const name = `assay-${randomUUID()}`;
  const tmp = makePrivateFolder(program.tmpParent);
  const env = containerEnvironment(program);
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  let result: ProgramResult | undefined;
  try {
    // Its memory is the engine's to limit: what runs here is only the client.
    result = await supervise(
      { ...program, memoryMb: 0 },
      {
        argv: ["docker", ...dockerWords(program, { name, image, tmp, user, env })],
        cwd: "/",
        env: clientEnvironment(env),
        folders: [...program.writable.map(({ path }) => path), tmp],
        end: (isKind) => void (isKind ? askDocker("stop", "--time", "1", name) : askDocker("kill", name)),
      },
    );
  } finally {
    if (result === undefined || result.ended !== undefined) await removeContainer(name);
    await removeFolder(tmp);
  }
  return interpret(result, program);
}

function interpret(result: ProgramResult, { memoryMb, stderrPath }: SandboxedProgram): ProgramResult {
  const { exitCode, ended } = result;
  if (exitCode === CLIENT_FAILED && ended === undefined) {
    const words = startOf(stderrPath);
    const remedy = /no such image/i.test(words) ? ". Fetch it first: docker pull IMAGE" : "";
    if (words.startsWith("docker: ")) throw new SandboxError(`${words}${remedy}`);
  }
  if ((exitCode === 126 || exitCode === 127) && ended === undefined) {
    // Said by the client or by the first process of the container, not by the program.
    const words = startOf(stderrPath);
    if (/^docker: |^\[FATAL tini/.test(words))
      throw new MissingProgramError(`the program can't be started: ${words}`);
  }
  const isFull = exitCode === KILLED && ended === undefined && memoryMb > 0;
  return { ...result, exitCode: codeOrSignal(exitCode), ...(isFull && { ended: "memory" }) };
}

/** An image knows its own PATH; ours only goes in where it is asked for. */
function containerEnvironment(program: SandboxedProgram): Record<string, string> {
  const { PATH: _, ...env } = programEnvironment(program.env, {
    cwd: insidePath(program.cwd, program),
    tmp: "/tmp",
  });
  return program.env.PATH === undefined ? env : { ...env, PATH: program.env.PATH };
}

function clientEnvironment(env: Record<string, string>): Record<string, string> {
  const own = Object.entries(process.env).filter(([key]) => isClients(key)) as [string, string][];
  const passed = Object.entries(env).filter(([key]) => !isClients(key));
  return Object.fromEntries([...passed, ...own]);
}
