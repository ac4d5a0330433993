import type { Command } from "commander";
import { UserError } from "../core/errors.ts";
import { outputSchemas, studySchema } from "../index.ts";
import { completion } from "./completion.ts";
import { targetNamed } from "./list.ts";

/** What an editor, a shell or Python wants to know of Assay, on stdout. */
export async function setup(what: string, target: string | undefined, program: Command): Promise<void> {
  if (what === "python") {
    console.log((await import("../targets/command/python-env.ts")).pythonDir());
    return;
  }
  if (what !== "schema") {
    if (target !== undefined)
      throw new UserError(`a completion script is for all targets, not for "${target}"`, {
        remedy: `assay setup ${what}`,
      });
    return completion(what, program);
  }
  const outputs = outputSchemas();
  if (target !== undefined && target in outputs) {
    console.log(JSON.stringify(outputs[target], null, 2));
    return;
  }
  const schema = studySchema(target === undefined ? undefined : await targetNamed(target));
  console.log(JSON.stringify(schema, null, 2));
}
