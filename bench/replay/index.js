// Real agents on the shipped tasks: recorded through the scripted model, replayed, and their patches compared.
// Alone: npm run bench -- replay. BENCH_REPLAYS says how many rollouts of each agent (default 20), BENCH_REPLAY_AGENTS
// which ones (default: those of codex and claude that `assay agents install` has installed).
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, median, root, scratch } from "../support/measure.js";

const ROLLOUTS = Number(process.env.BENCH_REPLAYS ?? 20);
const STARTS = 5;
/** Each with a model that has a price, and how it is started without Assay. */
const AGENTS = {
  codex: {
    model: "gpt-5-mini",
    words: (url, prompt) => [
      ...["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
      ...["-c", `openai_base_url="${url}/v1"`, "-m", "gpt-5-mini", prompt],
    ],
    env: () => ({ CODEX_API_KEY: "none" }),
  },
  claude: {
    model: "claude-sonnet-4-0",
    words: (_, prompt) => [
      ...["-p", "--verbose", "--output-format", "stream-json", "--permission-mode", "bypassPermissions"],
      ...["--model", "claude-sonnet-4-0", prompt],
    ],
    env: (url) => ({
      ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none", IS_SANDBOX: "1" },
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  },
};
const tasksDir = join(root, "examples/agent-rollouts/tasks");
const tasks = readdirSync(tasksDir).sort();

/** Whichever task it is, its own solution: the file that a patch begins with is in no other repository. */
const SOLVE = tasks
  .map((task) => {
    const patch = readFileSync(join(tasksDir, task, "solution.patch"));
    // Every repository has a README.
    const file = [...String(patch).matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path]) => path).at(-1);
    return `if test -f ${file}; then echo ${patch.toString("base64")} | base64 -d | git apply; fi`;
  })
  .join("; ");
/** What agents do on their way, with all that differs from one try to the next: times, inodes, names, durations. */
const SCRIPT = [
  "pwd; ls -lai; git log -1; date",
  "cat README.md; find . -path ./.git -prune -o -type f -print | sort; stat README.md",
  "node --test --test-reporter=tap . 2>&1 | tail -15; mktemp",
  SOLVE,
  "git status --short; git diff | head -40; ls -l --time-style=full-iso",
];

export default async function measure() {
  const rows = [];
  const chosen = process.env.BENCH_REPLAY_AGENTS?.split(",") ?? Object.keys(AGENTS);
  for (const name of chosen) {
    const program = programOf(name);
    if (program) rows.push(...(await measureAgent(name, program)));
    else rows.push(unknown(`replays of ${name}`, `not installed: assay agents install ${name}`));
  }
  return rows;
}

const unknown = (name, note) => ({ name, ours: "-", rival: "-", ratio: "-", target: "-", ok: null, note });

function programOf(name) {
  const { stdout } = spawnSync(process.execPath, [assay, "agents", "--json"], { encoding: "utf8" });
  const { path, version } = JSON.parse(stdout).agents.find((agent) => agent.name === name) ?? {};
  return path ? { path, version } : undefined;
}

async function measureAgent(name, { path, version }) {
  const dir = scratch(`replay-${name}`);
  cpSync(tasksDir, join(dir, "tasks"), { recursive: true });
  writeStudy(dir, { name, version, rollouts: Math.ceil(ROLLOUTS / tasks.length) });
  run(dir, ["--record", ...SCRIPT.flatMap((command) => ["--scripted", command])]);
  run(dir, ["--replay", "replays-scripted"]);
  const [recorded, replayed] = ["replays-scripted", "replays-replay"].map((study) => readStudy(dir, study));
  const pairs = [...recorded].map(([id, run]) => ({ id, recorded: run, replayed: replayed.get(id) }));
  const same = pairs.filter(
    ({ recorded, replayed }) => recorded.patch !== "" && replayed?.patch === recorded.patch,
  );
  const empty = pairs.filter(({ recorded }) => recorded.patch === "").length;
  const refused = pairs.filter(({ replayed }) => replayed?.status !== "ok");
  for (const { id, replayed } of refused.slice(0, 3))
    process.stderr.write(`${id}: ${replayed?.reason ?? "no replay"}\n${replayed?.diff ?? ""}\n`);
  const kinds = new Set(same.map(({ recorded }) => recorded.patch)).size;
  const calls = median(pairs.map(({ recorded }) => recorded.calls));
  return [
    {
      name: `${name} ${version}: rollouts recorded and replayed`,
      ours: `${same.length} identical patches`,
      rival: `${pairs.length} recorded, ${empty} of them empty`,
      ratio: `${((100 * same.length) / pairs.length).toFixed(1)} %`,
      target: ">= 95 %",
      ok: empty === 0 && same.length >= 0.95 * pairs.length,
      note: `${kinds} different patches; ${calls} calls each; ${refused.length} replays refused${refused.length > 0 ? " (see above)" : ""}`,
    },
    await startAgainstReplay(name, { path, version }),
  ];
}

/** A rollout of one call, replayed, against the agent started by hand on the same task and answered at once, in turns. */
async function startAgainstReplay(name, { path, version }) {
  const dir = scratch(`start-${name}`);
  const task = JSON.parse(readFileSync(join(tasksDir, "durations/tb_meta.json"), "utf8"));
  cpSync(join(tasksDir, "durations"), join(dir, "tasks/durations"), { recursive: true });
  writeStudy(dir, { name, version, rollouts: 1, chosen: ["durations"] });
  run(dir, ["--record", "--scripted", ""]);
  const gateway = spawn(process.execPath, [assay, "gateway", "--json", "--scripted", ""], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const { url } = JSON.parse(await firstLine(gateway));
    const { words, env } = AGENTS[name];
    const seconds = { replay: [], alone: [] };
    for (let i = 0; i < STARTS; i++) {
      run(dir, ["--replay", "replays-scripted", "--rerun", "all"]);
      seconds.replay.push([...readStudy(dir, "replays-replay").values()][0].seconds);
      const cwd = copyRepository(dir);
      const start = performance.now();
      const child = spawn(path, words(url, task.lm.instructions), {
        cwd,
        env: { ...process.env, HOME: mkdtempSync(join(dir, "home-")), ...env(url) },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      child.stderr.setEncoding("utf8").on("data", (part) => {
        said += part;
      });
      const code = await new Promise((resolve) => child.on("close", resolve));
      if (code !== 0) throw new Error(`${name} by hand ended with ${code}: ${said}`);
      seconds.alone.push((performance.now() - start) / 1000);
    }
    const [ours, theirs] = [median(seconds.replay), median(seconds.alone)];
    return {
      name: `${name} ${version}: a replayed rollout, until its agent ends`,
      ours: `${ours.toFixed(2)} s`,
      rival: `the agent by hand, answered at once ${theirs.toFixed(2)} s`,
      ratio: (ours / theirs).toFixed(2),
      target: "<= 1.1",
      ok: ours <= 1.1 * theirs,
      note: `one call; the median of ${STARTS}, in turns`,
    };
  } finally {
    gateway.kill("SIGTERM");
  }
}

/** Agents look at the history of the repository that they are started in. */
function copyRepository(dir) {
  const repo = mkdtempSync(join(dir, "alone-"));
  cpSync(join(tasksDir, "durations/repo"), repo, { recursive: true });
  const commit = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-qm", "base"];
  for (const words of [["init", "-q"], ["add", "-A"], commit]) spawnSync("git", words, { cwd: repo });
  return repo;
}

function writeStudy(dir, { name, version, rollouts, chosen = tasks }) {
  const seeds = Array.from({ length: rollouts }, (_, i) => i + 1);
  const study = {
    ...{ study: "replays", target: "rollout", tasks: chosen.map((task) => `tasks/${task}`), seeds },
    params: { sandbox: "bubblewrap", model: AGENTS[name].model, agent_timeout_s: 300 },
    matrix: { agent: [{ preset: name, version }] },
    executor: { jobs: 2 },
    analysis: { metric: "score", goal: "maximize" },
  };
  writeFileSync(join(dir, "study.yaml"), JSON.stringify(study));
}

/** A launch with failed runs ends with 1; what it left tells which. */
function run(dir, words) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [assay, "run", "study.yaml", "--no-report", "--quiet", ...words],
    { cwd: dir, encoding: "utf8", maxBuffer: 1 << 28 },
  );
  if (status > 1 || status === null) throw new Error(`assay run ended with ${status}: ${stderr}`);
}

function readStudy(dir, study) {
  const folder = join(dir, "bench_runs", study);
  const lines = readFileSync(join(folder, "journal.jsonl"), "utf8").trim().split("\n");
  const read = (id, path) => {
    const file = join(folder, "runs", id, "out", path);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  return new Map(
    lines.map(JSON.parse).map(({ id, outcome, metrics }) => [
      id,
      {
        ...{ status: outcome.status, reason: outcome.reason, calls: metrics.model_calls },
        seconds: metrics.agent_seconds,
        patch: read(id, "artifacts/diff.patch"),
        diff: read(id, "logs/replay.diff"),
      },
    ]),
  );
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.on("exit", () => reject(new Error("the gateway ended before it served")));
    child.stdout.setEncoding("utf8").on("data", (part) => {
      text += part;
      if (text.includes("\n")) resolve(text.split("\n", 1)[0]);
    });
  });
}
