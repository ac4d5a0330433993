import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../../../../core/errors.ts";
import { scanTree } from "../../workspace/scan-tree.ts";
import { fileOfTask, repoPath } from "../repo-path.ts";
import type { Overlay } from "../task.ts";
import type { NamedOverrides } from "./overrides.ts";

const FOLDER = "overlay_repo_files";
/** Told to the agent, not put anywhere. */
const INSTRUCTIONS = "LM_INSTRUCTIONS.md";

/** What the folder overlay_repo_files/ and the overrides change in the repository. */
export function readOverlay(dir: string, named: NamedOverrides): { overlay: Overlay; warnings: string[] } {
  const { overrides, file } = named;
  const warnings: string[] = [];
  const overlay: Overlay = { files: {}, copies: folderFiles(dir, warnings), remove: [] };
  const put = (key: string, path: string, text: string): void => {
    const plain = repoPath(path, { file, path: key });
    delete overlay.copies[plain];
    overlay.files[plain] = text;
  };
  overlay.remove = (overrides.remove_repo_paths ?? []).map((path, index) =>
    repoPath(path, { file, path: `remove_repo_paths.${index}` }),
  );
  for (const [path, text] of Object.entries(overrides.overlay_files ?? {})) {
    if (path === INSTRUCTIONS) continue;
    const inRepo = path.replace(/^(\.\/)?repo\//, "");
    // There they lie beside the repository, where a copy here has nothing.
    if (inRepo === path) warnings.push(`overlay_files: ${path} is put into the repository itself`);
    put("overlay_files", inRepo, text);
  }
  for (const [path, text] of Object.entries(overrides.overlay_repo_files ?? {}))
    put("overlay_repo_files", path, text);
  for (const { path, source, content } of injected(named)) {
    const place: Place = { file, path: "inject_files" };
    if (content !== undefined) put("inject_files", path, content);
    else overlay.copies[repoPath(path, place)] = fileOfTask(dir, source ?? path, place);
  }
  return { overlay, warnings };
}

/** By their path in the repository: `{"to": "from"}`, or a list of paths or {path, source} or {path, content}. */
function injected({ overrides }: NamedOverrides): { path: string; source?: string; content?: string }[] {
  const given = overrides.inject_files ?? [];
  if (!Array.isArray(given)) return Object.entries(given).map(([path, source]) => ({ path, source }));
  return given.map((item) => (typeof item === "string" ? { path: item } : dropUndefined(item)));
}

function dropUndefined({
  path,
  source,
  content,
}: {
  path: string;
  source?: string | undefined;
  content?: string | undefined;
}) {
  return { path, ...(source !== undefined && { source }), ...(content !== undefined && { content }) };
}

function folderFiles(dir: string, warnings: string[]): Record<string, string> {
  const root = join(dir, FOLDER);
  if (!existsSync(root)) return {};
  const copies: Record<string, string> = {};
  for (const { path, kind } of scanTree(root).entries) {
    if (kind === "file") copies[path] = join(root, path);
    else warnings.push(`${FOLDER}/${path} is a link and is left out`);
  }
  return copies;
}
