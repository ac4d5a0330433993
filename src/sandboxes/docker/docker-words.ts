import { realpathSync } from "node:fs";
import { insidePath } from "../inside-path.ts";
import type { Mount, SandboxedProgram } from "../sandbox.ts";

interface Container {
  name: string;
  image: string;
  /** A folder of the machine for the program's temporary files. */
  tmp: string;
  /** Whose the files are that the program makes: `uid:gid`. */
  user: string;
  env: Record<string, string>;
}

/** And threads, which count here, too. */
const MOST_PROCESSES = 4096;

/** What the docker client is told. Values of the environment go by its own, where no list of processes shows them. */
export function dockerWords(program: SandboxedProgram, container: Container): string[] {
  const { argv, cwd, writable, readable, network, reach = [], memoryMb } = program;
  const { name, image, tmp, user, env } = container;
  return [
    ...["run", "--rm", "--init", "--pull", "never", "--name", name, "--label", "assay.sandbox"],
    ...["--network", network || reach.length > 0 ? "bridge" : "none", "--user", user, "--read-only"],
    ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
    ...["--pids-limit", String(MOST_PROCESSES), "--ulimit", "core=0"],
    // Without swap, so that the limit is one.
    ...(memoryMb > 0 ? ["--memory", `${memoryMb}m`, "--memory-swap", `${memoryMb}m`] : []),
    ...["/tmp", "/var/tmp"].flatMap((as) => mountWords({ path: tmp, as }, false)),
    ...readable.flatMap((mount) => mountWords(mount, true)),
    ...writable.flatMap((mount) => mountWords(mount, false)),
    ...["--workdir", insidePath(cwd, program)],
    ...Object.entries(env).flatMap(([key, value]) => ["--env", isClients(key) ? `${key}=${value}` : key]),
    image,
    ...argv,
  ];
}

/** What the client itself reads can't be the program's at once. */
export function isClients(key: string): boolean {
  return key === "PATH" || key === "HOME" || key.startsWith("DOCKER_");
}

function mountWords({ path, as = path }: Mount, isReadOnly: boolean): string[] {
  const fields = ["type=bind", `src=${realpathSync(path)}`, `dst=${as}`, ...(isReadOnly ? ["readonly"] : [])];
  return ["--mount", fields.map(quoted).join(",")];
}

/** A field of comma-separated values. */
function quoted(field: string): string {
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
