import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import * as z from "zod";
import { UserError } from "../../../../core/errors.ts";
import { shellWord } from "../../../../core/escape.ts";
import { patchedFiles } from "../../suspicion/patch-files.ts";
import { meantFor } from "../dockerfile/read-image.ts";
import { checkTask, parseText, readText } from "../read-file.ts";
import type { Grading, RepoSource, RolloutTask, TaskReader } from "../task.ts";
import { PYTEST_RUNNER } from "./pytest-runner.ts";

const CONFIG = "instance.json";

/** Names of tests: a list, or the same as a JSON text, as the published tables have it. */
const names = z
  .union([
    z.array(z.string()),
    z.string().transform((text, context): string[] => {
      try {
        return z.array(z.string()).parse(JSON.parse(text));
      } catch {
        context.addIssue({ code: "custom", message: "a list of tests, or one as JSON" });
        return z.NEVER;
      }
    }),
  ])
  .default([]);
const text = z.string().nullish();

/** An instance as SWE-bench and the sets after it publish them; the last five are for sets that say how they are run. */
const instanceSchema = z.looseObject({
  instance_id: z.string().optional(),
  repo: z.string(),
  base_commit: z.string().min(4),
  problem_statement: z.string().min(1),
  patch: text,
  test_patch: z.string().default(""),
  FAIL_TO_PASS: names,
  PASS_TO_PASS: names,
  test_cmd: text,
  setup_cmd: text,
  docker_image: text,
  image_name: text,
  timeout_sec: z.number().positive().optional(),
});

type Instance = z.output<typeof instanceSchema>;

export const sweBench: TaskReader = {
  name: "swe-bench",
  description:
    "an instance like SWE-bench's: a repository at a commit, an issue, and the tests that have to pass",
  looksFor: CONFIG,
  detects: (dir) => existsSync(join(dir, CONFIG)),
  read(dir): RolloutTask {
    const full = resolve(dir);
    const file = join(full, CONFIG);
    const instance = checkTask(
      instanceSchema,
      parseText(readText(full, CONFIG, "the instance"), file, JSON.parse),
      file,
    );
    const { patch, timeout_sec } = instance;
    const image = instance.docker_image || instance.image_name || null;
    return {
      id: instance.instance_id ?? basename(full),
      title: null,
      tags: [instance.repo],
      format: "swe-bench",
      dir: full,
      instruction: instance.problem_statement,
      source: sourceOf(instance, full),
      overlay: { files: {}, copies: {}, remove: [] },
      env: {},
      grading: gradingOf(instance, file),
      limits: timeout_sec === undefined ? {} : { graderMs: timeout_sec * 1000 },
      workDir: "/testbed",
      image,
      build: null,
      solution: patch
        ? { kind: "patch", path: join(full, "solution.patch"), text: withNewline(patch) }
        : null,
      warnings: [],
      ...(image !== null && { withoutImage: [meantFor(image)] }),
    };
  },
};

/** A clone beside the instances, or in $ASSAY_REPOS, goes before GitHub's own. */
function sourceOf({ repo, base_commit }: Instance, dir: string): RepoSource {
  const git = (url: string): RepoSource => ({
    ...{ kind: "git", url, branch: null, commit: base_commit, subdir: null, sparse: [] },
  });
  if (isAbsolute(repo) || repo.includes("://")) return git(repo);
  const roots = [join(dir, "repos"), join(dirname(dir), "repos"), process.env.ASSAY_REPOS];
  const places = roots.flatMap((root) =>
    root === undefined || root === ""
      ? []
      : [repo, repo.replace("/", "__"), repo.replace(/^.*\//, "")].map((name) => resolve(root, name)),
  );
  const found = [join(dir, "repo"), ...places].find((place) => existsSync(place));
  return git(found ?? `https://github.com/${repo}`);
}

/** `pytest`, `python -m pytest`, with options that need no shell. */
const PYTEST = /^(?:python[\d.]*\s+-m\s+)?pytest((?:\s+[\w./:=,@%+-]+)*)\s*$/;

function gradingOf(instance: Instance, file: string): Grading {
  const { FAIL_TO_PASS, PASS_TO_PASS, test_cmd, test_patch } = instance;
  const wanted = [...new Set([...FAIL_TO_PASS, ...PASS_TO_PASS])].sort();
  if (FAIL_TO_PASS.length === 0 && !test_cmd)
    throw new UserError("no test tells whether the instance is solved", {
      place: { file, path: "FAIL_TO_PASS" },
      expected: "the names of tests, or a command in test_cmd",
      got: "nothing",
    });
  const options = test_cmd ? PYTEST.exec(test_cmd.trim())?.[1]?.trim().split(/\s+/) : [];
  const odd = options && wanted.find((name) => !/\.py(::|$)/.test(name));
  if (odd !== undefined)
    throw new UserError(`${JSON.stringify(odd)} is no test of pytest's`, {
      place: { file, path: "FAIL_TO_PASS" },
      remedy: "Say how to run the tests: test_cmd, a command that exits 0 where they pass.",
    });
  const run = options
    ? `printf '%s\\n' "$nonce" | python3 .assay/run_pytest.py ${options.filter(Boolean).map(shellWord).join(" ")}`
    : test_cmd!.replaceAll("{tests}", wanted.map(shellWord).join(" "));
  const content = scriptOf(instance, run);
  return {
    rubrics: [
      {
        id: "resolved",
        criterion: "The tests that the fix is about pass, and no other test breaks",
        weight: 1,
      },
    ],
    tests: [{ path: ".assay/test.sh", rubricId: "resolved", content, ...(options && { answer: [] }) }],
    files: {
      ".assay/test.patch": withNewline(test_patch),
      ...(options && {
        ".assay/run_pytest.py": PYTEST_RUNNER,
        ".assay/wanted.json": `${JSON.stringify(wanted)}\n`,
      }),
    },
    mounts: {},
    env: {},
    verdict: "exit",
    metricsScript: null,
  };
}

/**
 * The files of the test patch are first made as they were at the commit, whatever the agent did to them. What is there of
 * git is asked for contents alone: no hook, no filter and no replaced object of the agent's has a say.
 */
function scriptOf({ base_commit, test_patch, setup_cmd }: Instance, run: string): string {
  const paths = [...new Set(patchedFiles(test_patch).map(({ path }) => path))].map(shellWord);
  return `#!/bin/bash
nonce=
if [ -f .assay/nonce.json ]; then read -r nonce < .assay/nonce.json; rm .assay/nonce.json; fi
export GIT_NO_REPLACE_OBJECTS=1
git() { command git -c safe.directory='*' -c core.hooksPath=/dev/null "$@"; }
base=$(git rev-parse --quiet --verify ${shellWord(`${base_commit}^{commit}`)} || echo HEAD)
for file in ${paths.join(" ")}; do
  rm -rf -- "$file"; mkdir -p -- "$(dirname -- "$file")"
  git cat-file blob "$base:$file" > "$file" 2>/dev/null || rm -f -- "$file"
done
if [ -s .assay/test.patch ] && ! git apply --whitespace=nowarn .assay/test.patch; then
  echo "the test patch does not apply"; exit 126
fi
if [ -f /opt/miniconda3/bin/activate ]; then . /opt/miniconda3/bin/activate testbed; fi
${setup_cmd ? `{ ${setup_cmd}\n} </dev/null || exit 1\n` : ""}${run}
`;
}

function withNewline(patch: string): string {
  return patch === "" || patch.endsWith("\n") ? patch : `${patch}\n`;
}
