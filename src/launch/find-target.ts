import { existsSync, readdirSync } from "node:fs";
import { relative } from "node:path";
import { type Place, UserError } from "../core/errors.ts";
import type { DeclaredStudy, TargetRef } from "../core/study.ts";
import { nearest } from "../core/suggest.ts";
import { shippedTargets } from "../targets/index.ts";

const ENDINGS = [".ts", ".mts", ".js", ".mjs"];

/** A name is that of a target that ships, or of a file of the user's beside the study or in targets/ there. */
export function findTarget(ref: DeclaredStudy["target"], baseDir: string, place: Place): TargetRef {
  if (ref.kind !== "named") return ref;
  const { name } = ref;
  if (Object.hasOwn(shippedTargets, name)) return { kind: "shipped", name };
  const looked = [baseDir, `${baseDir}/targets`].flatMap((dir) =>
    ENDINGS.map((ending) => `${dir}/${name}${ending}`),
  );
  const isPlain = /^[\w.-]+$/.test(name);
  const path = isPlain ? looked.find((file) => existsSync(file)) : undefined;
  if (path !== undefined) return { kind: "file", path };
  const near = nearest(name, [
    ...Object.keys(shippedTargets),
    ...modulesIn(baseDir),
    ...modulesIn(`${baseDir}/targets`),
  ]);
  const dir = relative(process.cwd(), baseDir) || ".";
  throw new UserError(`there is no target "${name}"`, {
    place,
    remedy: [
      near.length > 0
        ? `Did you mean ${near.map((word) => `"${word}"`).join(" or ")}?`
        : `Targets that ship: ${Object.keys(shippedTargets).join(", ")}.`,
      isPlain &&
        `Looked for ${dir}/${name}{${ENDINGS.join(",")}} and ${dir}/targets/${name}{${ENDINGS.join(",")}}.`,
      "A file elsewhere starts with ./",
    ]
      .filter(Boolean)
      .join(" "),
  });
}

/** Names of the modules in a folder, as a study would say them. */
function modulesIn(dir: string): string[] {
  const ending = /\.[cm]?[jt]s$/;
  try {
    return readdirSync(dir)
      .filter((file) => ending.test(file))
      .map((file) => file.replace(ending, ""));
  } catch {
    return [];
  }
}
