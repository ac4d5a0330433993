import { realpathSync } from "node:fs";
import { insidePath } from "../inside-path.ts";
import type { Mount, SandboxedProgram } from "../sandbox.ts";
import type { ContainerEngine } from "./engine.ts";
import type { Source } from "./left.ts";

/** Every container of ours has it. */
export const LABEL = "assay.sandbox";

interface Container {
  name: string;
  source: Source;
  /** A folder of the machine for the program's temporary files. */
  tmp: string;
  /** Whose the files are that the program makes: `uid:gid`. */
  user: string;
  env: Record<string, string>;
}

/** And threads, which count here, too. */
const MOST_PROCESSES = 4096;
/** What installing a package takes; nothing of it reaches beyond the container. */
const POWERS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "NET_BIND_SERVICE", "SETGID", "SETUID"];

/** What an engine is told. Values of the environment go by the client's own, where no list of processes shows them. */
export function containerWords(
  engine: ContainerEngine,
  program: SandboxedProgram,
  container: Container,
): string[] {
  const { argv, writable, readable, network, memoryMb, cpus = 0, machine } = program;
  const { name, source, env } = container;
  return [
    ...["run", "--init", "--pull", "never", "--name", name, "--label", LABEL],
    ...entryWords(program, source),
    ...["--network", network ? "bridge" : "none", ...(machine ? atHome() : asGuest(container))],
    ...["--security-opt", "no-new-privileges", "--pids-limit", String(MOST_PROCESSES)],
    ...["--ulimit", "core=0", ...engine.limits()],
    // Without swap, so that the limit is one.
    ...(memoryMb > 0 ? ["--memory", `${memoryMb}m`, "--memory-swap", `${memoryMb}m`] : []),
    ...(cpus > 0 ? ["--cpus", String(cpus)] : []),
    ...readable.flatMap((mount) => mountWords(mount, true)),
    ...writable.flatMap((mount) => mountWords(mount, false)),
    ...placeWords(program, source),
    ...Object.entries(env).flatMap(([key, value]) => [
      "--env",
      engine.isClients(key) ? `${key}=${value}` : key,
    ]),
    ...sourceWords(source),
    ...argv,
  ];
}

/** What a container starts from, where a command line names it. */
export function sourceWords({ image, laid }: Source): string[] {
  return laid ? ["--rootfs", laid.path] : [image];
}

function entryWords({ machine }: SandboxedProgram, { laid, facts }: Source): string[] {
  if (!machine?.boots) return ["--entrypoint", ""];
  return laid ? ["--entrypoint", JSON.stringify(facts!.entrypoint)] : [];
}

/** An image's own work folder is made where it lacks it, as podman does for no other; files alone name none. */
function placeWords(program: SandboxedProgram, { laid, facts }: Source): string[] {
  if (!program.machine) return ["--workdir", insidePath(program.cwd, program)];
  if (!laid) return [];
  const { user, workDir } = facts!;
  return ["--workdir", workDir, ...(user === "" ? [] : ["--user", user])];
}

/** A program of ours in whatever image there is: it writes to its folders alone. */
function asGuest({ user, tmp }: Container): string[] {
  return [
    ...["--user", user, "--read-only", "--cap-drop", "ALL"],
    ...["/tmp", "/var/tmp"].flatMap((as) => mountWords({ path: tmp, as }, false)),
  ];
}

/** A program in the image that was made for it: its user, and all of its files. */
function atHome(): string[] {
  return ["--cap-drop", "ALL", ...POWERS.flatMap((power) => ["--cap-add", power])];
}

function mountWords({ path, as = path }: Mount, isReadOnly: boolean): string[] {
  const fields = ["type=bind", `src=${realpathSync(path)}`, `dst=${as}`, ...(isReadOnly ? ["readonly"] : [])];
  return ["--mount", fields.map(quoted).join(",")];
}

/** A field of comma-separated values. */
function quoted(field: string): string {
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
