import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Project } from "../support/fixture.ts";
import type { Ended } from "../support/launch.ts";
import { TempFolder } from "../support/temp-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const AGENT = `import os, random, sys
model = sys.argv[sys.argv.index("--model") + 1]
if model not in ("small", "big"):
    raise ValueError("no such model: " + model)
random.seed(model + os.environ["ASSAY_SEED"])
for step in range(3):
    print("step", step)
print("accuracy:", {"small": 0.5, "big": 0.9}[model] + random.random() / 100)
`;

/** The package as it would be published, in an empty folder; what it depends on is linked, not installed. */
function installed(folder: TempFolder): string {
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder.path], {
    cwd: root,
    env: { ...process.env, npm_config_cache: `${folder.path}/cache`, npm_config_offline: "true" },
  });
  const tarball = readdirSync(folder.path).find((name) => name.endsWith(".tgz"))!;
  execFileSync("tar", ["-xzf", tarball], { cwd: folder.path });
  symlinkSync(`${root}/node_modules`, `${folder.path}/package/node_modules`);
  return `${folder.path}/package/bin/assay.js`;
}

/** Runs a program on a terminal of 60 columns, gives each answer once its question is there, and prints the screen. */
const ON_A_TERMINAL = `
import fcntl, json, os, pty, struct, sys, termios
questions = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 60, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
screen, seen = b"", 0
while True:
    try: screen += os.read(terminal, 65536)
    except OSError: break
    if questions and questions[0][0].encode() in screen[seen:]:
        seen = len(screen)
        os.write(terminal, (questions.pop(0)[1] + "\\n").encode())
sys.stdout.buffer.write(screen.replace(b"\\r", b""))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`;

test("a stranger gets from an empty folder to an answer, with a mistake at every step", async () => {
  using folder = new TempFolder();
  const assayPath = installed(folder);
  mkdirSync(`${folder.path}/mine`);
  await using project = new Project(`${folder.path}/mine`);
  project.write("agent.py", AGENT);
  project.write("same.sh", "echo score: 5\n");
  const assay = (...words: string[]): Promise<Ended> =>
    project.launch([process.execPath, assayPath, ...words]).ended;
  const COMMAND = "python3 agent.py --model {model}";

  const mistakes: [string[], number, RegExp][] = [
    [["try"], 2, /^assay: no command\. For instance assay try 'python3 agent\.py/],
    [["try", "python3", "agent.py"], 2, /"agent\.py" is not a parameter .* Put the whole command in quotes/],
    [["try", COMMAND, "--sedes", "3"], 2, /unknown option '--sedes'\. Did you mean --seeds\?/],
    [["try", COMMAND, "model="], 2, /"model=" is not a parameter .* Add the values: model=1,2\./],
    [["try", COMMAND, "modle=small,big"], 2, /\{model\} in the command has no values.* Did you mean/],
    [["try", "python3 agent.py", "model=small,big"], 2, /does not use model\. Write \{model\} where/],
    [["try", "nopython agent.py"], 2, /the program "nopython" is not in PATH\. Install it, or/],
    [["try", COMMAND], 2, /\{model\} in the command has no values\. Add model=VALUE,VALUE\./],
    [
      ["try", "python3 agnet.py {model}", "model=small,big"],
      2,
      /agnet\.py does not exist.* Did you mean "agent\.py"\?/,
    ],
    [
      ["try", COMMAND, "model=tiny,big"],
      1,
      /first run failed: exit 1: ValueError: no such model: tiny\. `assay show \S+`/,
    ],
    [
      ["try", COMMAND, "model=small,big"],
      1,
      /reports no metric\. It printed "accuracy: [\d.]+": use --metric 'accuracy: \(\[0-9\.\]\+\)'/,
    ],
    [
      ["try", COMMAND, "model=small,big", "--metric", "acc: ("],
      2,
      /--metric: expected a regular expression such as/,
    ],
    [
      ["try", COMMAND, "model=small,big", "--metric", "acc: (.+)"],
      1,
      /nothing matches \/acc: \(\.\+\)\/.* use --metric 'accuracy/,
    ],
  ];
  const make = async (all: typeof mistakes) => {
    for (const [words, code, message] of all) {
      const { code: exit, stderr } = await assay(...words);
      expect.soft(stderr).toMatch(message);
      expect.soft(exit, words.join(" ")).toBe(code);
    }
  };
  await make(mistakes);

  const tried = await assay(
    "try",
    COMMAND,
    "model=small,big",
    "--metric",
    "accuracy: ([0-9.]+)",
    "--goal",
    "maximize",
  );
  expect(tried.code, tried.stderr).toBe(0);
  expect(tried.stdout).toMatch(/\nbig beats small on accuracy by [\d.]+ %? ?.*5 seeds, paired.*\n/);
  expect(tried.stdout).toMatch(/Next: assay run study\.yaml .*\n$/);

  await make([
    [["run", "stdy.yaml"], 2, /stdy\.yaml does not exist\. Did you mean "study\.yaml"\?/],
    [["rnu", "study.yaml"], 2, /unknown command 'rnu'\. Did you mean run\?/],
    [["compare", "agnt"], 2, /no study "agnt".* Did you mean "agent"\?/],
    [["query", "agent", "SELECT nope FROM runs"], 2, /"nope" not found.* The tables are runs, series/s],
    [["compare", "agent", "--metric", "acuracy"], 2, /no run has the metric .* Did you mean "accuracy"\?/],
    [["show", "nope"], 2, /no run "nope".* `assay status STUDY` lists what runs/],
  ]);

  const again = await assay("run", "study.yaml");
  expect(again.stdout).toContain("agent: 0 ok, 10 done before of 10 runs");

  const onTerminal = (questions: [string, string][], ...words: string[]): Promise<Ended> =>
    project.launch([
      ...["python3", "-c", ON_A_TERMINAL, JSON.stringify(questions)],
      ...[process.execPath, assayPath, ...words],
    ]).ended;
  const asked = await onTerminal(
    [
      ["[1-4]", "9"],
      ["answer 1, 2, 3 or 4", ""],
      ["command line", COMMAND],
      ["Values of model", "model=small,big"],
      ["The number", ""],
    ],
    "init",
    "asked.yaml",
  );
  expect(asked.stdout).toMatch(/Wrote asked\.yaml\. Next: assay run asked\.yaml\n$/);
  expect(asked.stdout).not.toMatch(/[\x1b\ufffd]/);
  expect(project.read("asked.yaml")).toContain("model: [small, big]\n");

  const narrow = (await onTerminal([], "compare", "agent")).stdout.replaceAll(/\x1b\[\d*m/g, "");
  expect(narrow.split("\n").filter((line) => line.length > 60)).toEqual([]);

  const same = await assay("try", "sh same.sh", "--metric", "score", "--out", "same.yaml");
  expect(same.stdout).toContain("All 5 seeds of same give the same value: does the program read its seed?");
});
