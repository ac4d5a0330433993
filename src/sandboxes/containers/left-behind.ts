import { isAbandoned } from "../owner-tag.ts";
import { LABEL } from "./container-words.ts";
import { askEngine, type ContainerEngine } from "./engine.ts";
import { LEFT_IMAGE } from "./images.ts";

const swept = new Map<string, Promise<void>>();

/** Removes, once in each thread, the containers and kept images of processes that are gone: killed, they could not. */
export function removeLeftBehind(engine: ContainerEngine, { isAgain = false } = {}): Promise<void> {
  const before = isAgain ? undefined : swept.get(engine.name);
  const known = before ?? sweep(engine);
  swept.set(engine.name, known);
  return known;
}

async function sweep(engine: ContainerEngine): Promise<void> {
  const [containers, images] = await Promise.all([
    askEngine(engine, ["ps", "--all", "--filter", `label=${LABEL}`, "--format", "{{.Names}}"]),
    askEngine(engine, [
      "images",
      "--filter",
      `label=${LEFT_IMAGE}=1`,
      "--format",
      "{{.Repository}}:{{.Tag}}",
    ]),
  ]);
  const gone = (answer: typeof containers, prefix: RegExp) =>
    answer.stdout.split("\n").filter((name) => prefix.test(name) && isAbandoned(tagOf(name, prefix)));
  const left = gone(containers, /^assay-/);
  if (left.length > 0) await askEngine(engine, ["rm", "--force", "--volumes", ...left]);
  const kept = gone(images, new RegExp(`^.*${LEFT_IMAGE}:`));
  if (kept.length > 0) await askEngine(engine, ["rmi", "--force", ...kept]);
}

function tagOf(name: string, prefix: RegExp): string {
  return name.replace(prefix, "").replace(/-[0-9a-f]{8}-[0-9a-f]{4}$/, "");
}
