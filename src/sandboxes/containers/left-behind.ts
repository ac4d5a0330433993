import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isAbandoned } from "../owner-tag.ts";
import { clearDesk, desksFolder } from "./build-image.ts";
import { LABEL } from "./container-words.ts";
import { askAboutImages, askEngine, type ContainerEngine } from "./engine.ts";
import { LEFT_IMAGE, removeContainers, rootsFolder } from "./left.ts";

const swept = new Map<string, Promise<void>>();

/** Removes, once in each thread, the containers, kept images and builds of processes that are gone: killed, they could not. */
export function removeLeftBehind(engine: ContainerEngine, { isAgain = false } = {}): Promise<void> {
  const before = isAgain ? undefined : swept.get(engine.name);
  const known = before ?? sweep(engine);
  swept.set(engine.name, known);
  return known;
}

async function sweep(engine: ContainerEngine): Promise<void> {
  const [containers, images] = await Promise.all([
    askEngine(engine, ["ps", "--all", "--filter", `label=${LABEL}`, "--format", "{{.Names}}"]),
    askAboutImages(engine, [
      "images",
      "--filter",
      `label=${LEFT_IMAGE}=1`,
      "--format",
      "{{.Repository}}:{{.Tag}}",
    ]),
  ]);
  const gone = (names: readonly string[], prefix: RegExp) =>
    names.filter((name) => prefix.test(name) && isAbandoned(tagOf(name, prefix)));
  const roots = existsSync(rootsFolder()) ? readdirSync(rootsFolder()) : [];
  // A root may have outlived its container; those who stand on others go first.
  const left = new Set([...gone(roots, /^assay-/), ...gone(containers.stdout.split("\n"), /^assay-/)]);
  if (left.size > 0) await removeContainers(engine, [...left]);
  const building = desksFolder(engine);
  const desks = existsSync(building) ? readdirSync(building) : [];
  for (const name of gone(desks, /^assay-/)) await clearDesk(engine, join(building, name));
  const kept = gone(images.stdout.split("\n"), new RegExp(`^.*${LEFT_IMAGE}:`));
  if (kept.length > 0) await askAboutImages(engine, ["rmi", "--force", ...kept]);
}

function tagOf(name: string, prefix: RegExp): string {
  return name.replace(prefix, "").replace(/-[0-9a-f]{8}-[0-9a-f]{4}$/, "");
}
