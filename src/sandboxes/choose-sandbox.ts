import { UserError } from "../core/errors.ts";
import { bubblewrap } from "./bubblewrap/index.ts";
import { docker, podman } from "./containers/index.ts";
import { directory } from "./directory.ts";
import { sandboxes } from "./index.ts";
import type { ProgramSandbox } from "./sandbox.ts";

const ADVICE =
  "Cloud sandboxes are not shipped: write one of your own (docs/extending.md) and name its file in plugins:";

interface ChoiceOptions {
  /** Whether what runs there needs an image of its own, which only containers have. */
  needsImage?: boolean;
  /** Told where something weaker than usual was chosen. */
  warn?(text: string): void;
}

/**
 * The sandbox of a name. `auto` is the one in $SANDBOX_BACKEND; else a container engine that works for what needs an image,
 * bubblewrap where it works, or directory. A name
 * that there is not, or that can't be used on this machine, is the user's mistake.
 */
export async function chooseSandbox(
  name: string,
  { warn, needsImage = false }: ChoiceOptions = {},
): Promise<ProgramSandbox> {
  if (isNamed(name)) return named(name, "sandbox");
  const backend = process.env.SANDBOX_BACKEND ?? "";
  if (isNamed(backend)) return named(backend, "SANDBOX_BACKEND");
  for (const engine of needsImage ? [docker, podman] : [])
    if ((await engine.problem?.()) === undefined) return engine;
  const problem = await bubblewrap.problem?.();
  if (problem === undefined) return bubblewrap;
  warn?.(
    `the sandbox is directory, which isolates no files and no network, because bubblewrap can't be used: ${problem}`,
  );
  return directory;
}

function isNamed(name: string): boolean {
  return name !== "" && name !== "auto";
}

async function named(name: string, path: string): Promise<ProgramSandbox> {
  const known = Object.fromEntries(
    Object.entries(sandboxes).filter((entry): entry is [string, ProgramSandbox] => "execute" in entry[1]),
  );
  const sandbox = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!sandbox) {
    throw new UserError("", {
      place: { path },
      expected: `auto, ${Object.keys(known).join(", ")}`,
      got: JSON.stringify(name),
      remedy: `${ADVICE}.`,
    });
  }
  const problem = await sandbox.problem?.();
  if (problem !== undefined) {
    throw new UserError(`the sandbox ${name} can't be used here: ${problem.replace(/\.$/, "")}`, {
      place: { path },
      remedy: `Or choose another one: auto, ${Object.keys(known).join(", ")}.`,
    });
  }
  return sandbox;
}
