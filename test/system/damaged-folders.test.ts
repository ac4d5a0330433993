import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, readdirSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";
import { assayPath } from "../support/launch.ts";
import { waitFor } from "../support/wait-for.ts";

const CANARY = "sk-canary-4f1c7b9e2d";
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const canSwitch = spawnSync("setpriv", ["--version"]).status === 0;

/** What a run may do to its folder: `$R` is the folder, `$O` its `out`, `$V` a folder of somebody else's files. */
const WAYS = {
  "a locked folder in out": 'mkdir "$O/d"; echo "$KEY" >"$O/d/f"; chmod 000 "$O/d"',
  "a read-only folder in out": 'mkdir "$O/d"; echo "$KEY" >"$O/d/f"; chmod 555 "$O/d"',
  "a locked file in out": 'echo "$KEY" >"$O/f"; chmod 000 "$O/f"',
  "out locked": 'echo "$KEY" >"$O/f"; chmod 000 "$O"',
  "out read-only": 'echo "$KEY" >"$O/f"; chmod 555 "$O"',
  "out deleted": 'rm -r "$O"',
  "out a file": 'rm -r "$O"; echo "$KEY" >"$O"',
  "out a link": 'rm -r "$O"; ln -s "$V" "$O"',
  "out a pipe": 'rm -r "$O"; mkfifo "$O"',
  "the folder read-only": 'echo "$KEY" >"$O/f"; chmod 555 "$R"',
  "the folder locked": 'echo "$KEY" >"$O/f"; chmod 000 "$R"',
  "the folder deleted": 'rm -r "$R"',
  "the folder moved": 'mv "$R" "$V/../moved-$$"',
  "the folder a file": 'rm -r "$R"; echo "$KEY" >"$R"',
  "the folder a link": 'rm -r "$R"; ln -s "$V" "$R"',
  "stdout a folder": 'rm "$R/stdout.txt"; mkdir "$R/stdout.txt"; echo "$KEY" >"$R/stdout.txt/f"',
  "stdout a link": 'ln -sf "$V/.env" "$R/stdout.txt"',
  "stdout a pipe": 'rm "$R/stdout.txt"; mkfifo "$R/stdout.txt"',
  "stderr locked": 'echo "$KEY" >&2; chmod 000 "$R/stderr.txt"',
  "series a folder": 'mkdir "$R/series.jsonl"',
  "series a pipe": 'mkfifo "$R/series.jsonl"',
  "meta a folder": 'rm -f "$R/meta.json"; mkdir "$R/meta.json"',
  "meta a link": 'ln -sf "$V/.env" "$R/meta.json"',
  "meta's replacement a link":
    'ln -s "$V/.env" "$R/meta.json.$(cut -d " " -f 4 /proc/$PPID/stat)-0.tmp"; ln -s "$V/.env" "$R/.$(cut -d " " -f 4 /proc/$PPID/stat)-0.tmp"',
  "earlier a file": 'echo "$KEY" >"$R/earlier"',
  "earlier a link": 'ln -s "$V" "$R/earlier"',
  "a path beyond what the system takes":
    'cd "$O"; n=dddddddddddddddddddddddddddddddddddddddddddddddddd; i=0; while [ $i -lt 100 ]; do mkdir $n; cd $n; i=$((i+1)); done; echo "$KEY" >f',
  "a hard link": 'ln "$V/.env" "$O/hard"',
  "a link to a file": 'ln -s "$V/.env" "$O/metrics.json"; ln -s /etc/passwd "$O/summary.csv"',
  "pipes for results": 'mkfifo "$O/metrics.json" "$O/summary.csv"',
  "a locked folder of results": 'mkdir "$O/wandb"; chmod 000 "$O/wandb"',
  "odd names":
    'cd "$O"; for n in "a\nb" "\x1b[2Jc" "\xffd" -rf " "; do printf %s "$KEY" >"$(printf -- "$n")"; done',
  "a secret in names": 'mkdir "$O/d-$KEY"; echo "$KEY" >"$O/d-$KEY/$KEY.txt"; ln -s "/x/$KEY" "$O/l"',
  "a file without end": 'truncate -s 5G "$O/huge"',
  "a name as long as can be": 'echo "$KEY" >"$O/$(printf "%0255d" 0)"',
};

const SCRIPT = `R=$(dirname "$ASSAY_OUT_DIR") O=$ASSAY_OUT_DIR V=$PWD/victim KEY=$MY_API_KEY HERE=$PWD
case $1 in
${Object.values(WAYS)
  .map((way, i) => `${i}) ${way};;`)
  .join("\n")}
esac
echo . >>"$HERE/damaged.txt"
until [ -e "$HERE/go" ]; do sleep 0.05; done
`;

const STUDY = `study: damaged
target: {command: [sh, damage.sh, "\${way}"]}
matrix: {way: [${Object.keys(WAYS).map((_, i) => i)}]}
limits: {timeout: 100s}
executor: {jobs: ${Object.keys(WAYS).length}}
`;

/** Every file below a folder that holds the secret, in its name or content; found by a program that follows no link. */
function leaks(dir: string): string[] {
  const script = `find . -name '*canary*'; find . -type f -exec grep -l canary {} +; find . -type l -lname '*canary*'`;
  return execFileSync("sh", ["-c", `${script}; true`], { cwd: dir, encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
}

async function aProject(
  isOrdinary: boolean,
): Promise<{ project: Project; start: () => ReturnType<Project["launch"]> }> {
  const project = await fixture("program", {
    "study.yaml": STUDY,
    "damage.sh": SCRIPT,
    "victim/.env": `TOKEN=${CANARY}\n`,
  });
  project.env = { MY_API_KEY: CANARY };
  const argv = [process.execPath, assayPath, "run", "study.yaml"];
  if (!(isRoot && isOrdinary)) return { project, start: () => project.launch(argv) };
  for (const path of [".", ...readdirSync(project.dir, { recursive: true, encoding: "utf8" })])
    chownSync(project.path(path), NOBODY, NOBODY);
  const as = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];
  return { project, start: () => project.launch([...as, ...argv]) };
}

describe.each(["root", "an ordinary user"])("whatever runs do to their folders, as %s", (who) => {
  test("each ends as its own record, the study goes on, and nothing outside is written", async ({ skip }) => {
    skip(
      (who === "root") !== isRoot && !(isRoot && canSwitch),
      isRoot ? "setpriv is missing" : "only root can be root",
    );
    const { project, start } = await aProject(who !== "root");
    await using _ = project;
    const names = Object.keys(WAYS);
    const victim = () => ({
      text: project.read("victim/.env"),
      size: statSync(project.path("victim")).nlink,
    });
    const before = victim();

    // Killed when all folders are damaged and none is sealed: the next start finds them as they are.
    const killed = start();
    await waitFor("all to be damaged", () => {
      if (killed.isOver) throw new Error(`it ended by itself: ${killed.stderr}`);
      return project.lines("damaged.txt").length === names.length;
    });
    killed.kill("SIGKILL");
    await killed.ended;
    project.write("go", "");

    for (const launch of ["after a crash", "again"]) {
      const { code, stderr, stdout } = await start().ended;
      expect([0, 1], `${launch}: ${stderr}${stdout}`).toContain(code);
      expect(stderr).not.toContain("bug in Assay");
      const latest = new Map(
        project.records("damaged").map((record) => [record.params.way as number, record]),
      );
      expect([...latest.keys()].sort((a, b) => a - b)).toEqual(names.map((_, i) => i));
      expect(victim()).toEqual(before);
      expect(readdirSync(project.path("victim"))).toEqual([".env"]);
      const marked = [...latest.values()].filter(({ warnings = [] }) =>
        warnings.join().includes("secrets may be left"),
      );
      expect(marked.map(({ params }) => names[params.way as number])).toEqual(["a file without end"]);
      expect(stdout).toContain("secrets may be left in out/huge (it is larger than 4.3 GB)");
      const left = leaks(project.path("bench_runs")).filter(
        (path) => !marked.some(({ id }) => path.includes(id)),
      );
      expect(left).toEqual([]);
    }
  });
});
