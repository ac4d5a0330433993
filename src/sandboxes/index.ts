import { bubblewrap } from "./bubblewrap/index.ts";
import { docker, podman } from "./containers/index.ts";
import { directory } from "./directory.ts";
import { memory } from "./memory/index.ts";
import type { ProgramSandbox, Sandbox } from "./sandbox.ts";

/** Where whole programs can run. */
export const programSandboxes: Readonly<Record<string, ProgramSandbox>> = {
  directory,
  bubblewrap,
  docker,
  podman,
};

/** Where agents' tools can work. */
export const sandboxes: Readonly<Record<string, Sandbox>> = { ...programSandboxes, memory };
