import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { assayPath } from "../support/launch.ts";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const canSwitch = spawnSync("setpriv", ["--version"]).status === 0;

/** A study that has run, and `assay` as an ordinary user, whom permissions bind. */
async function aStudy(): Promise<{ project: Project; assay(words: string): ReturnType<Project["assay"]> }> {
  const project = await fixture("program", {
    "study.yaml": "{study: s, target: {command: [sh, program.sh]}}",
  });
  const as = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];
  for (const path of [".", ...readdirSync(project.dir)])
    if (isRoot) chownSync(project.path(path), NOBODY, NOBODY);
  const assay = (words: string) =>
    project.launch([...(isRoot ? as : []), process.execPath, assayPath, ...words.split(" ")]).ended;
  expect((await assay("run study.yaml --no-report")).code).toBe(0);
  return { project, assay };
}

/** What is done to a path, and undone again. */
const DAMAGE = {
  locked: (path: string, mode: number) => {
    chmodSync(path, 0);
    return () => chmodSync(path, mode);
  },
  "read-only": (path: string, mode: number) => {
    chmodSync(path, 0o555);
    return () => chmodSync(path, mode);
  },
  "a folder": (path: string) => {
    renameSync(path, `${path}.kept`);
    mkdirSync(path);
    return () => {
      rmSync(path, { recursive: true });
      renameSync(`${path}.kept`, path);
    };
  },
  "a file": (path: string) => {
    renameSync(path, `${path}.kept`);
    writeFileSync(path, "");
    return () => {
      rmSync(path);
      renameSync(`${path}.kept`, path);
    };
  },
};

const AGAIN = "run study.yaml --rerun all --no-report";

test("what the machine forbids is exit 74 with the path and a remedy, whatever file of the study it is", async ({
  skip,
}) => {
  skip(isRoot && !canSwitch, "setpriv is missing");
  const { project, assay } = await aStudy();
  await using _ = project;
  const cases: [string, keyof typeof DAMAGE, string[]][] = [
    ["study.yaml", "locked", ["run study.yaml"]],
    ["bench_runs/s", "read-only", [AGAIN]],
    ["bench_runs/s", "locked", ["status s"]],
    ["bench_runs/s/study.json", "locked", [AGAIN, "status s"]],
    ["bench_runs/s/journal.jsonl", "locked", [AGAIN, "report s", "query s SELECT(1)"]],
    ["bench_runs/s/journal.jsonl", "a folder", [AGAIN, "report s"]],
    ["bench_runs/s/runs", "read-only", [AGAIN]],
    ["bench_runs/s/runs", "a file", [AGAIN]],
  ];
  for (const [path, damage, commands] of cases) {
    const undo = DAMAGE[damage](project.path(path), path.includes(".") ? 0o644 : 0o755);
    for (const command of commands) {
      const { code, stderr } = await assay(command);
      expect(code, `${path} ${damage}, ${command}: ${stderr}`).toBe(74);
      expect(stderr.trim().split("\n").at(-1)).toMatch(
        new RegExp(`^assay: .*${path.replaceAll(".", "\\.")}.*(run the same command again|another place)`),
      );
    }
    undo();
  }
  expect((await assay(AGAIN)).code, "when all is mended").toBe(0);
});

describe("only ordinary files are read, and folders made, without waiting for ever", () => {
  test.each([
    ["run study.yaml --out-root /proc/1/x", 74, "/proc/1/x"],
    ["run /dev/zero", 2, "/dev/zero can't be read: it is a pipe or a device"],
    ["run endless.yaml", 2, "/dev/zero can't be read: it is a pipe or a device"],
    ["run pipe.yaml", 2, "pipe.yaml can't be read: it is a pipe or a device"],
    ["plan module.yaml", 2, "pipe.ts can't be read: it is a pipe or a device"],
    ["plan device.yaml", 2, "/dev/zero can't be read: it is a pipe or a device"],
    ["plan python.yaml", 2, "pipe.py can't be read: it is a pipe or a device"],
    ["plan plugin.yaml", 2, "pipe.ts can't be read: it is a pipe or a device"],
    ["plan watch.yaml", 2, "watch: pipe.csv is not an ordinary file"],
    ["compare pipe.csv --metric v", 2, "pipe.csv can't be read: it is not an ordinary file"],
    ["compare pipe.jsonl --metric v", 2, "pipe.jsonl can't be read: it is a pipe or a device"],
    ["import pipe.json", 2, "there are no results of a known format"],
  ])("%s", async (words, code, text) => {
    await using project = await fixture("program", {
      "endless.yaml": "{extends: /dev/zero, study: x}",
      "module.yaml": "target: ./pipe.ts",
      "device.yaml": "target: /dev/zero",
      "python.yaml": "target: ./pipe.py",
      "plugin.yaml": "{target: {command: [sh, program.sh]}, plugins: [./pipe.ts], instruments: [mine]}",
      "watch.yaml": "target: {command: [sh, program.sh], watch: [pipe.csv]}",
    });
    for (const ending of ["yaml", "ts", "py", "csv", "json", "jsonl"])
      spawnSync("mkfifo", [project.path(`pipe.${ending}`)]);
    const ended = await project.assay(...words.split(" "));
    expect(ended.stderr).toContain(text);
    expect(ended).toMatchObject({ code, stdout: "" });
  });
});
