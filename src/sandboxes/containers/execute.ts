import { randomUUID } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { codeOrSignal } from "../code-or-signal.ts";
import { programEnvironment } from "../environment.ts";
import { forwarderBy } from "../forwarder.ts";
import { insidePath } from "../inside-path.ts";
import { ownerTag } from "../owner-tag.ts";
import { makePrivateFolder, removeFolder } from "../private-folder.ts";
import { openRelay, type Relay } from "../relay.ts";
import {
  type LeftImage,
  MissingProgramError,
  type Mount,
  type ProgramResult,
  SandboxError,
  type SandboxedProgram,
} from "../sandbox.ts";
import { startOf } from "../start-of.ts";
import { supervise } from "../supervise.ts";
import { containerWords, sourceWords } from "./container-words.ts";
import { askEngine, type ContainerEngine, lookWords, removeContainer } from "./engine.ts";
import { factsOf, forgetImage } from "./images.ts";
import { keepLeft, LEFT_IMAGE, removeLater, type Source, sourceOf } from "./left.ts";
import { removeLeftBehind } from "./left-behind.ts";
import { NODE_WORDS, nodeLayer } from "./node-layer.ts";

const KILLED = 137;
/** What engines end with when they could not start the program, and their first process. Programs may, too. */
const DOUBTFUL = [1, 125, 126, 127];

/** Runs one program in a container of its own, which is gone afterwards. */
export async function executeIn(engine: ContainerEngine, program: SandboxedProgram): Promise<ProgramResult> {
  const image = program.image ?? process.env.SANDBOX_IMAGE;
  if (!image)
    throw new SandboxError(
      `the sandbox ${engine.name} needs an image: the task's own, or one in SANDBOX_IMAGE`,
    );
  await removeLeftBehind(engine);
  const id = `${ownerTag()}-${randomUUID().slice(0, 13)}`;
  const name = `assay-${id}`;
  const tmp = makePrivateFolder(program.tmpParent);
  const way = await wayOut(program);
  const source = await sourceOf(image, { ...program, name });
  const env = { ...(source.laid && source.facts?.env), ...containerEnvironment(program, way?.relay.env) };
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const shown = way
    ? {
        ...program,
        argv: way.relay.wrap(program.argv),
        readable: [...program.readable, ...way.mounts],
      }
    : program;
  const folders = [...program.writable.map(({ path }) => path), tmp];
  let result: ProgramResult | undefined;
  let left: LeftImage | undefined;
  try {
    // Its memory is the engine's to limit: what runs here is only the client.
    result = await supervise(
      { ...program, memoryMb: 0, onStart: () => started(program, { engine, name, folders, source }) },
      {
        argv: [
          engine.name,
          ...engine.words,
          ...containerWords(engine, shown, { name, source, tmp, user, env }),
        ],
        cwd: "/",
        env: clientEnvironment(engine, env),
        folders,
        end: (isKind) =>
          void askEngine(engine, isKind ? ["stop", "--time", "1", name] : ["kill", "--signal", "KILL", name]),
      },
    );
    const interpreted = await interpret(result, { engine, name, source, program });
    if (!program.machine?.keeps || result.ended === "cancelled") return interpreted;
    // A client that was ended may not have ended its container yet: nothing of it goes on while it is graded.
    if (result.ended !== undefined) await askEngine(engine, ["stop", "--time", "0", name]);
    left = await keepLeft(engine, name, {
      ...{ image: `${LEFT_IMAGE}:${id}`, program: shown },
      factsOf: async () => source.facts ?? (await factsOf(engine, image)),
    });
    return { ...interpreted, ...(left && { left }) };
  } finally {
    await way?.relay.close();
    const isEnded = result !== undefined && result.ended === undefined;
    if (!isEnded && !left) await removeContainer(engine, name, { isEnded });
    else if (!left && !source.laid) removeLater(engine, [name]);
    await removeFolder(tmp);
  }
}

interface Ran {
  engine: ContainerEngine;
  name: string;
  source: Source;
  program: SandboxedProgram;
}

/** Whether the engine failed, or its first process; what a program says and ends with is never taken for that. */
async function interpret(result: ProgramResult, ran: Ran): Promise<ProgramResult> {
  const { exitCode, ended } = result;
  const { engine, program } = ran;
  if (ended !== undefined) return { ...result, exitCode: codeOrSignal(exitCode) };
  if (exitCode !== null && DOUBTFUL.includes(exitCode)) {
    const words = startOf(program.stderrPath);
    if (engine.complaint.test(words)) await checkStarted(words, ran);
  }
  // The engines' own word on it is about their first process alone.
  const isFull = exitCode === KILLED && program.memoryMb > 0;
  return { ...result, exitCode: codeOrSignal(exitCode), ...(isFull && { ended: "memory" }) };
}

async function checkStarted(words: string, { engine, name, source, program }: Ran): Promise<void> {
  const format = "{{.State.StartedAt}}";
  const state = await askEngine(engine, ["container", "inspect", "--format", format, name]);
  const isStarted = state.isOk && !state.stdout.startsWith("0001-");
  if (isStarted && (await hasProgram(engine, source, program))) return;
  if (isStarted || /executable file not found|no such file or directory|exec format/i.test(words))
    throw new MissingProgramError(`the program can't be started: ${words}`);
  if (!/no such image|image not known|unable to find image/i.test(words))
    throw new SandboxError(`${engine.name} could not start a container: ${words}`);
  forgetImage(source.image);
  throw new SandboxError(`${words}. Fetch it first: ${engine.name} pull ${source.image}`);
}

/** Asked only where the first process of a container said that it is not there: a program may say the same. */
async function hasProgram(engine: ContainerEngine, source: Source, { argv }: SandboxedProgram) {
  const look = ["sh", "-c", 'command -v -- "$0"', argv[0]!];
  return (await askEngine(engine, [...lookWords(engine), ...sourceWords(source), ...look])).isOk;
}

/** Where its files are on this machine, they count against its disk. */
function started(
  program: SandboxedProgram,
  { engine, name, folders, source }: Omit<Ran, "program"> & { folders: string[] },
) {
  program.onStart?.();
  if (program.diskMb === 0 || !program.machine) return;
  if (source.laid) {
    folders.push(source.laid.upper);
    return;
  }
  const format = "{{.GraphDriver.Data.UpperDir}}";
  const find = async () => {
    for (let round = 0; round < 50; round++) {
      const { isOk, stdout } = await askEngine(engine, ["container", "inspect", "--format", format, name]);
      if (isOk && stdout.startsWith("/")) return stdout;
    }
    return undefined;
  };
  void find().then((folder) => {
    try {
      if (folder === undefined) return;
      accessSync(folder, constants.R_OK);
      folders.push(folder);
    } catch {
      // An engine on another machine, or one with other rights: its disk is not ours to measure.
    }
  });
}

interface Way {
  relay: Relay;
  mounts: Mount[];
}

/** To its models alone: a container without a network has a socket, and Node to listen inside. */
async function wayOut({ network, reach = [], readable }: SandboxedProgram): Promise<Way | undefined> {
  if (network || reach.length === 0) return undefined;
  const layer = await nodeLayer();
  const relay = await openRelay(reach, forwarderBy(NODE_WORDS));
  const isThere = readable.some(({ as }) => as === layer.as);
  return { relay, mounts: isThere ? [relay.mount] : [relay.mount, layer] };
}

/** An image knows its own PATH; ours only goes in where it is asked for. One that is a whole machine has a home, too. */
function containerEnvironment(
  program: SandboxedProgram,
  further: Record<string, string> = {},
): Record<string, string> {
  const given = { ...program.env, ...further };
  const {
    PATH: _,
    LANG,
    HOME,
    PWD,
    TMPDIR,
    ...env
  } = programEnvironment(given, {
    cwd: insidePath(program.cwd, program),
    tmp: "/tmp",
  });
  const asked = Object.fromEntries(
    ["PATH", "LANG", "HOME", "TMPDIR"].flatMap((key) =>
      given[key] === undefined ? [] : [[key, given[key]]],
    ),
  );
  return program.machine
    ? { ...env, ...asked }
    : { ...env, LANG: LANG!, HOME: HOME!, PWD: PWD!, TMPDIR: TMPDIR!, ...asked };
}

function clientEnvironment(engine: ContainerEngine, env: Record<string, string>): Record<string, string> {
  const own = Object.entries(process.env).filter(([key]) => engine.isClients(key)) as [string, string][];
  const passed = Object.entries(env).filter(([key]) => !engine.isClients(key));
  return Object.fromEntries([...passed, ...own]);
}
