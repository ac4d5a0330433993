import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Place, UserError } from "../../../../core/errors.ts";
import { scanTree } from "../../workspace/scan-tree.ts";
import { checkTask, fileOfTask, parseText, readText, repoPath } from "../read-file.ts";
import { solutionOf } from "../solution-of.ts";
import type { Overlay, ReadOptions, RepoSource, RolloutTask, TaskReader } from "../task.ts";
import { readGrading } from "./grading.ts";
import { type NamedOverrides, readOverrides } from "./overrides.ts";
import { metaSchema, type RepoFacts } from "./schema.ts";

const FOLDER = "overlay_repo_files";
/** Told to the agent, not put anywhere. */
const INSTRUCTIONS = "LM_INSTRUCTIONS.md";

const META = "tb_meta.json";

export const tbMeta: TaskReader = {
  name: "tb-meta",
  description: "tb_meta.json, with overrides.json laid over it",
  looksFor: META,
  detects: (dir) => existsSync(join(dir, META)),
  read(dir, options: ReadOptions): RolloutTask {
    const full = resolve(dir);
    const file = join(full, META);
    const meta = checkTask(
      metaSchema,
      parseText(readText(full, META, "the task's facts"), file, JSON.parse),
      file,
    );
    const given = readOverrides(full, options);
    const { overrides } = given;
    const env = overrides.environment_variables ?? {};
    const seconds = Number(env.TIMEOUT_SEC);
    const { grading, warnings } = readGrading(full, meta.evaluation, given);
    const overlay = readOverlay(full, given);
    const url = meta.repo?.git_url?.trim();
    const isMoved = overrides.repo?.git_url !== undefined && overrides.repo.git_url !== url;
    const repo = { facts: isMoved ? overrides.repo! : { ...meta.repo, ...defined(overrides.repo) }, file };
    const source = readSource(full, repo);
    return {
      id: meta.task_id ?? basename(full),
      title: meta.metadata?.title ?? null,
      tags: meta.metadata?.tags ?? [],
      format: "tb-meta",
      dir: full,
      instruction: instructionOf(full, meta.lm?.instructions, given),
      source: source.source,
      overlay: overlay.overlay,
      env,
      grading,
      limits: seconds > 0 ? { agentMs: seconds * 1000 } : {},
      workDir: null,
      build: null,
      image: null,
      solution: solutionOf(full),
      ...((overrides.impossible ?? meta.metadata?.impossible) && { isImpossible: true }),
      warnings: [...given.warnings, ...source.warnings, ...overlay.warnings, ...warnings],
    };
  },
};

function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, item]) => item !== undefined),
  ) as Partial<T>;
}

/** An override goes first, then what tb_meta.json says, then the file that prepared tasks have. */
function instructionOf(dir: string, own: string | undefined, { overrides }: NamedOverrides): string {
  const beside = join(dir, "overlay_files", INSTRUCTIONS);
  const texts = [
    overrides.prompt,
    overrides.lm_instructions,
    overrides.overlay_files?.[INSTRUCTIONS],
    own,
    existsSync(beside) ? readFileSync(beside, "utf8") : undefined,
  ];
  const found = texts.find((text) => text !== undefined && text.trim() !== "");
  if (found !== undefined) return found;
  throw new UserError("the task tells the agent nothing", {
    place: { file: join(dir, META), path: "lm.instructions" },
    expected: "a text",
    remedy: 'Write "lm": {"instructions": "..."}, or a prompt into overrides.json.',
  });
}

/** What the folder overlay_repo_files/ and the overrides change in the repository. */
function readOverlay(dir: string, named: NamedOverrides): { overlay: Overlay; warnings: string[] } {
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

/** Where the repository comes from: git_url at start_commit_sha, or the folder repo/ where there is no git_url. */
function readSource(
  dir: string,
  { facts, file }: { facts: RepoFacts; file: string },
): { source: RepoSource; warnings: string[] } {
  const url = facts.git_url?.trim();
  if (!url) {
    const folder = join(dir, "repo");
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      return { source: { kind: "folder", dir: realpathSync(folder) }, warnings: [] };
    throw new UserError("the task has no repository", {
      place: { file, path: "repo.git_url" },
      expected: "an address, or a folder repo/ beside it",
      got: "neither",
      remedy: "Add the address and repo.start_commit_sha, or the folder.",
    });
  }
  const commit = facts.start_commit_sha?.trim() || null;
  const branch = facts.branch?.trim() || null;
  for (const [name, value] of Object.entries({ start_commit_sha: commit, branch })) {
    if (value !== null && !/^[\w][\w./+@-]*$/.test(value))
      throw new UserError("", {
        place: { file, path: `repo.${name}` },
        expected: "a name in the repository",
        got: value,
      });
  }
  const subdir = facts.subdir?.trim();
  const source: RepoSource = {
    kind: "git",
    url: addressOf(dir, url, file),
    branch,
    commit,
    subdir:
      subdir && subdir !== "." && subdir !== "/" ? repoPath(subdir, { file, path: "repo.subdir" }) : null,
    sparse: sparsePaths(facts.sparse_checkout, file),
  };
  const moving = `the repository has no start_commit_sha, so the task is whatever ${branch ?? "it"} holds at the time`;
  return { source, warnings: commit === null ? [moving] : [] };
}

/** A local repository by its whole path, others as they are. */
function addressOf(dir: string, url: string, file: string): string {
  const isFile = url.startsWith("file://");
  const isLocal = isFile || /^[./~]/.test(url) || (!/^[\w.@-]+:/.test(url) && existsSync(resolve(dir, url)));
  if (!isLocal) {
    if (/^(https?|ssh|git):\/\/|^[\w.-]+@[\w.-]+:|^[\w.-]+:(?!:)/.test(url)) return url;
    throw new UserError("", {
      place: { file, path: "repo.git_url" },
      expected: "an address of a git repository, or the path of one, relative to the task's folder",
      got: url,
    });
  }
  const path = isFile ? fileURLToPath(url.replace(/^file:\/\/(?!\/)/, "file:///")) : resolve(dir, url);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UserError(`the repository ${path} does not exist`, { place: { file, path: "repo.git_url" } });
}

function sparsePaths(given: RepoFacts["sparse_checkout"], file: string): string[] {
  if (typeof given === "boolean" || given === undefined) return [];
  const paths = typeof given === "string" ? [given] : given;
  return paths
    .map((path) => path.trim())
    .filter((path) => path !== "")
    .map((path) => {
      if (path.split("/").includes(".."))
        throw new UserError(`"${path}" leads out of the repository`, {
          place: { file, path: "repo.sparse_checkout" },
        });
      return path;
    });
}
