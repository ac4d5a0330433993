import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { errorText } from "../../src/core/errors.ts";
import { docker, podman } from "../../src/sandboxes/containers/index.ts";
import type { ProgramSandbox } from "../../src/sandboxes/sandbox.ts";
import { hashTree } from "../../src/targets/coding/tasks/hash-tree.ts";
import { SandboxedFolder } from "./sandboxed.ts";
import { TempFolder } from "./temp-folder.ts";

/** What scripts/container-base.sh makes: a shell, its tools and git. */
export const BASE_IMAGE = "localhost/assay-base:1";

/** The engines that work here and have the image that tests start from; why another one is left out is in its title. */
export async function testedEngines(): Promise<
  { title: string; sandbox: ProgramSandbox; isUsable: boolean }[]
> {
  return await Promise.all(
    [podman, docker].map(async (sandbox) => {
      const problem = (await sandbox.problem!()) ?? missingImage(sandbox.name) ?? (await whyNot(sandbox));
      const title = problem === undefined ? sandbox.name : `${sandbox.name} (skipped: ${problem})`;
      return { title, sandbox, isUsable: problem === undefined };
    }),
  );
}

/** An engine that is installed may still be forbidden to run anything, as within another container. */
async function whyNot(sandbox: ProgramSandbox): Promise<string | undefined> {
  using box = new SandboxedFolder(sandbox);
  try {
    const { exitCode } = await box.run("true", { image: BASE_IMAGE });
    return exitCode === 0 ? undefined : `a container ends with ${exitCode}`;
  } catch (error) {
    return errorText(error);
  }
}

function missingImage(engine: string): string | undefined {
  const { status } = spawnSync(engine, ["image", "inspect", BASE_IMAGE]);
  return status === 0 ? undefined : `no image ${BASE_IMAGE}: bash scripts/container-base.sh makes it`;
}
/** The engine that tests of whole rollouts take: podman, since the set-up of the tests installs it. */
export async function testedEngine(): Promise<{ note: string; isUsable: boolean }> {
  const [first] = await testedEngines();
  return { note: first!.isUsable ? "" : ` (${first!.title})`, isUsable: first!.isUsable };
}

/** The base image with this Node in it, for podman. */
export async function imageWithNode(): Promise<string> {
  using folder = new TempFolder({ Dockerfile: `FROM ${BASE_IMAGE}\nCOPY node /usr/local/bin/node\n` });
  copyFileSync(process.execPath, `${folder.path}/node`);
  const build = { dir: folder.path, hash: hashTree(folder.path) };
  const wanted = { build, timeoutMs: 600_000, network: false };
  return (await podman.images!.prepare(wanted, { signal: new AbortController().signal })).name;
}
