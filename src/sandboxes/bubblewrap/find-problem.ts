import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../../core/errors.ts";
import { isProgram } from "../find-program.ts";
import { makePrivateFolder, removeFolder } from "../private-folder.ts";
import type { ProgramSandbox } from "../sandbox.ts";

const FORBIDDEN = /namespace|uid map|RTM_NEWADDR|Operation not permitted|Permission denied/i;

/** Tries it once, as it will be used; why it does not work and what to do, or undefined. */
export async function findProblem(execute: ProgramSandbox["execute"]): Promise<string | undefined> {
  if (process.platform !== "linux")
    return "bubblewrap needs Linux. Choose docker, or directory, which isolates nothing.";
  const isInstalled = (process.env.PATH ?? "").split(":").some((folder) => isProgram(join(folder, "bwrap")));
  if (!isInstalled) return "the program bwrap is not installed. On Debian: apt-get install bubblewrap";
  const folder = makePrivateFolder();
  try {
    const { exitCode } = await execute({
      argv: ["/bin/sh", "-c", "true"],
      cwd: folder,
      env: {},
      writable: [{ path: folder }],
      readable: [],
      network: false,
      timeoutMs: 20_000,
      memoryMb: 0,
      diskMb: 0,
      stdoutPath: join(folder, "stdout"),
      stderrPath: join(folder, "stderr"),
      outputBytes: 1000,
      signal: new AbortController().signal,
    });
    return exitCode === 0 ? undefined : `bubblewrap could not run /bin/sh (exit code ${exitCode})`;
  } catch (error) {
    return withRemedy(errorText(error));
  } finally {
    await removeFolder(folder);
  }
}

function withRemedy(text: string): string {
  if (/unknown option/i.test(text)) return `${text}. It is too old: version 0.6 or later is needed.`;
  if (!FORBIDDEN.test(text)) return text;
  return `${text}. This machine forbids user namespaces: ${remedy()}`;
}

function remedy(): string {
  if (setting("kernel/apparmor_restrict_unprivileged_userns") === "1")
    return "sysctl kernel.apparmor_restrict_unprivileged_userns=0 allows them";
  if (setting("kernel/unprivileged_userns_clone") === "0")
    return "sysctl kernel.unprivileged_userns_clone=1 allows them";
  if (setting("user/max_user_namespaces") === "0") return "sysctl user.max_user_namespaces=10000 allows them";
  return "in a container they need --security-opt seccomp=unconfined --security-opt systempaths=unconfined";
}

function setting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, "utf8").trim();
  } catch {
    return undefined;
  }
}
