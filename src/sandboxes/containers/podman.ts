import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { isProgram } from "../find-program.ts";
import { guardsLabels } from "./container-root.ts";
import { askEngine, type ContainerEngine } from "./engine.ts";

/** What podman asks for by itself is far more, which a process may be forbidden to have; it lowers its own, too. */
const WANTED: Record<string, number> = { nofile: 65_536, nproc: 16_384 };
const LINES: Record<string, RegExp> = {
  nofile: /^Max open files\s+\S+\s+(\d+)/m,
  nproc: /^Max processes\s+\S+\s+(\d+)/m,
};

export const podmanEngine: ContainerEngine = {
  name: "podman",
  words: runtimeWords(),
  limits: limitWords,
  builds: { mark: (file) => ["--secret", `id=assay,src=${file}`], remove: removeBuild },
  isClients: (key) => /^(PATH|HOME|TMPDIR|XDG_\w+|CONTAINERS?_\w+|STORAGE_\w+|DBUS_\w+)$/.test(key),
  complaint: /^Error: |^ERROR \(catatonit/m,
  storageFormat: "{{.Store.GraphRoot}}",
  removeWords: ["--force", "--volumes", "--ignore"],
  // Others see them in a namespace of their users alone.
  showsFiles: () => process.getuid?.() === 0 && !guardsLabels(),
  versionFormat: "{{.Client.Version}}",
  advice: ({ isMissing, stderr }) =>
    isMissing
      ? "the program podman is not installed. On Debian: apt-get install podman runc catatonit"
      : `podman can't be used (${stderr}).`,
};

/** Its usual runtime, crun, fails where version 1 of control groups is in use, in whole or in part. */
function runtimeWords(): string[] {
  const isUnified = existsSync("/sys/fs/cgroup/cgroup.controllers");
  const hasRunc = ["/usr/bin/runc", "/usr/sbin/runc", "/usr/local/bin/runc"].some(isProgram);
  return !isUnified && hasRunc ? ["--runtime", "runc"] : [];
}

/** It wants higher limits than a container within a container, or a tight service, may set: ours are the most. */
function limitWords(): string[] {
  if (!existsSync("/proc/self/limits")) return [];
  const text = readFileSync("/proc/self/limits", "utf8");
  return Object.entries(WANTED).flatMap(([name, wanted]) => {
    const most = Math.min(wanted, Number(LINES[name]!.exec(text)?.[1] ?? wanted));
    return ["--ulimit", `${name}=${most}:${most}`];
  });
}

/** A secret that no Dockerfile asks for is told to none, but a build's container has a note of where it is. */
async function removeBuild(desk: string, mark: string): Promise<void> {
  const format = "{{.Host.OCIRuntime.Path}}\n{{.Store.GraphRoot}}/{{.Store.GraphDriverName}}-containers";
  const { isOk, stdout } = await askEngine(podmanEngine, ["info", "--format", format]);
  if (!isOk) return;
  const [runtime, folder] = stdout.split("\n") as [string, string];
  for (const name of entriesOf(desk).filter((name) => name.startsWith("buildah")))
    await promisify(execFile)(runtime, ["delete", "--force", `buildah-${name}`]).catch(() => {});
  const left = entriesOf(folder).filter((id) => noteOf(join(folder, id)).includes(`src=${mark}"`));
  if (left.length > 0) await askEngine(podmanEngine, ["rm", ...podmanEngine.removeWords, ...left]);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What its builder knows of a container that is for a build; of others nothing. */
function noteOf(container: string): string {
  try {
    return readFileSync(join(container, "userdata/buildah.json"), "utf8");
  } catch {
    return "";
  }
}
