import { openCopy } from "../copy-workspace.ts";
import type { ProgramSandbox } from "../sandbox.ts";
import { dockerEngine } from "./docker.ts";
import { type ContainerEngine, engineProblem } from "./engine.ts";
import { executeIn } from "./execute.ts";
import { imagesOf } from "./images.ts";
import { podmanEngine } from "./podman.ts";

export const docker = sandboxOf(dockerEngine, "a docker engine");
export const podman = sandboxOf(podmanEngine, "podman, no daemon");

/** One container per program. What the program finds there is the image's, not the machine's. */
function sandboxOf(engine: ContainerEngine, needs: string): ProgramSandbox {
  let problem: Promise<string | undefined> | undefined;
  const sandbox: ProgramSandbox = {
    name: engine.name,
    description: `a container of the task's image or one of yours, no network, only the named folders; needs ${needs}`,
    isolates: ["files", "processes", "network"],
    problem() {
      problem ??= engineProblem(engine);
      return problem;
    },
    open: async (files, options) => openCopy(sandbox, files, options),
    execute: (program) => executeIn(engine, program),
    images: imagesOf(engine),
  };
  return sandbox;
}
