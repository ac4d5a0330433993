import { openFamily } from "../core/family.ts";
import { bubblewrap } from "./bubblewrap/index.ts";
import { docker, podman } from "./containers/index.ts";
import { directory } from "./directory.ts";
import { memory } from "./memory/index.ts";
import type { ProgramSandbox, Sandbox } from "./sandbox.ts";

/** Where whole programs can run, of what ships. */
export const programSandboxes: Readonly<Record<string, ProgramSandbox>> = {
  directory,
  bubblewrap,
  docker,
  podman,
};

/** Where agents' tools can work; what users' files add can run programs where it has `execute`. */
export const sandboxes: Readonly<Record<string, Sandbox>> = openFamily<Sandbox>("sandbox", {
  ...programSandboxes,
  memory,
});
