import { durationText, fixedText, plural } from "../core/number-text.ts";
import { docker, podman } from "../sandboxes/containers/index.ts";
import type { BuiltImage, Images } from "../sandboxes/sandbox.ts";
import { table } from "./terminal.ts";

interface ImagesOptions {
  olderThan?: number | undefined;
  keepGb?: number | undefined;
  json?: boolean;
}

/** Images that were built for tasks: which there are, and with a limit, which of them go. */
export async function images({ olderThan, keepGb, json }: ImagesOptions): Promise<void> {
  const rows: (BuiltImage & { engine: string; isRemoved: boolean })[] = [];
  for (const sandbox of [docker, podman]) {
    if ((await sandbox.problem?.()) !== undefined) continue;
    const built = await sandbox.images!.list();
    const gone = await removeOld(sandbox.images!, built, { olderThan, keepGb });
    rows.push(...built.map((image) => ({ ...image, engine: sandbox.name, isRemoved: gone.has(image.name) })));
  }
  if (json) {
    console.log(JSON.stringify({ images: rows }));
    return;
  }
  if (rows.length === 0) {
    console.log("no images were built for tasks here");
    return;
  }
  const text = ({ bytes }: BuiltImage) => `${fixedText(bytes / 1e6, 0)} MB`;
  const age = ({ usedAtMs }: BuiltImage) =>
    usedAtMs === 0 ? "unknown" : `${durationText(Math.max(0, Date.now() - usedAtMs))} ago`;
  console.log(
    table(
      ["image", "engine", "size", "last used", "state"],
      rows.map((row) => [row.name, row.engine, text(row), age(row), row.isRemoved ? "removed" : "kept"]),
    ),
  );
  const gone = rows.filter(({ isRemoved }) => isRemoved);
  const sum = (all: BuiltImage[]) => fixedText(all.reduce((total, { bytes }) => total + bytes, 0) / 1e9, 1);
  console.log(
    `${plural(rows.length, "image")}, ${sum(rows)} GB with the layers that they share; ${gone.length} removed`,
  );
}

/** The ones that were not used for so long, then the longest unused until the rest is small enough. */
export async function removeOld(
  known: Pick<Images, "remove">,
  built: readonly BuiltImage[],
  { olderThan, keepGb }: Pick<ImagesOptions, "olderThan" | "keepGb">,
): Promise<Set<string>> {
  const gone = new Set<string>();
  let left = built.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { name, bytes, usedAtMs } of [...built].sort((a, b) => a.usedAtMs - b.usedAtMs)) {
    const isOld = olderThan !== undefined && Date.now() - usedAtMs > olderThan;
    if (!isOld && !(keepGb !== undefined && left > keepGb * 1e9)) continue;
    if (!(await known.remove(name, { isUnused: true }))) continue;
    gone.add(name);
    left -= bytes;
  }
  return gone;
}
