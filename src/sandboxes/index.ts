import { directory } from "./directory.ts";
import { memory } from "./memory/index.ts";
import type { Sandbox } from "./sandbox.ts";

/** Where agents' tools can work. */
export const sandboxes: Readonly<Record<string, Sandbox>> = { directory, memory };
