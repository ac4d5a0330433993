import { bubblewrap } from "./bubblewrap/index.ts";
import { directory } from "./directory.ts";
import { docker } from "./docker/index.ts";
import { memory } from "./memory/index.ts";
import type { ProgramSandbox, Sandbox } from "./sandbox.ts";

/** Where whole programs can run. */
export const programSandboxes: Readonly<Record<string, ProgramSandbox>> = { directory, bubblewrap, docker };

/** Where agents' tools can work. */
export const sandboxes: Readonly<Record<string, Sandbox>> = { ...programSandboxes, memory };
