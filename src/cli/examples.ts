import type { Command } from "commander";
import { sims } from "../targets/index.ts";

const EXAMPLES = {
  assay: [
    [
      "assay try 'python3 agent.py --model {model}' model=small,big --metric 'accuracy: ([0-9.]+)'",
      "run your own program and see which differences are real",
    ],
    ["assay run study.yaml", "run a study file; run it again to resume where it stopped"],
    ["assay status my-study", "its progress, also from another terminal"],
  ],
  try: [
    [
      "assay try 'python3 agent.py --model {model}' model=small,big --metric 'accuracy: ([0-9.]+)'",
      "five seeds each; reads the number that the program prints",
    ],
    ["assay try './bench {size}' size=10,100 --metric duration_ms --goal minimize", "how long it takes"],
  ],
  gateway: [
    ["assay gateway", "print an address, then one line per call"],
    ["assay gateway --record talk.jsonl", "record the traffic; --replay talk.jsonl plays it back"],
    ["assay gateway --fault 429@3", "see what your program does when calls fail from the third on"],
    ["assay gateway --cache answers --per-minute 60", "pay once per request, at most 60 a minute"],
  ],
  run: [
    ["assay run study.yaml --jobs 4", "four runs at a time"],
    ["assay run study.yaml -p workflows=10 --seeds 1,2", "override a parameter and the seeds"],
    ["assay run study.yaml --only \"policy == 'full'\"", "only some of the runs"],
    ["assay run study.yaml --rerun infrastructure", "repeat only runs that the infrastructure broke"],
    ["assay run study.yaml --detach", "in the background; `assay status my-study --follow` follows it"],
  ],
  note: [
    [
      "assay note my-study --run 3f9a --verdict fail 'stops before the tests'",
      "your label of a run, and why",
    ],
    ["assay note my-study --run 3f9a --turn 7 --tag loop", "a tag on a turn"],
    ["assay note my-study", "what everybody said, and how far they agree"],
  ],
  adjust: [
    ["assay adjust my-study --jobs 8", "eight runs at once from now on"],
    ["assay adjust my-study --max-cost 20 --max-time 2h", "other limits for this launch"],
  ],
  judge: [
    ["assay judge my-study --pick 40", "which runs to label: 40, drawn at random"],
    ["assay judge my-study", "what people would say of all runs, and how many labels the judge saved"],
    ["assay judge my-study --judge tests_passed --pass good", "any metric may stand in for a judge"],
  ],
  lock: [
    ["assay lock study.yaml", "then run it; its answer is planned, all else is exploratory"],
    ["assay lock study.yaml --until decided", "a plan that stops as soon as the answer is in"],
  ],
  sweep: [
    ["assay sweep search.yaml", "make it, then start workers"],
    ["assay sweep my-search --points 100", "widen it while workers run"],
    ["assay sweep my-search --add '{\"lr\": 0.01}'", "try this point, too"],
  ],
  worker: [
    ["assay worker my-search", "until nothing is left; start as many as you like"],
    ["assay worker my-search --count 1", "one run only"],
    ["assay worker --queue redis://host:6379 --labels gpu", "of any study, from a queue"],
  ],
  fleet: [
    ["assay fleet --queue redis://host:6379", "workers, what they run, what waits, what is wrong"],
    ["assay fleet --watch", "refreshed every two seconds; the address is in ASSAY_QUEUE"],
    ["assay fleet pause", "let all workers finish their runs and take no more"],
    ["assay fleet drain host-1234", "let one finish its runs, then exit"],
  ],
  sim: [
    [`assay sim ${sims.simulator.example}`, "print the metrics of one run"],
    ["assay sim --policy full --out /tmp/run", "keep its files, a trace for ui.perfetto.dev too"],
  ],
  ui: [
    ["assay ui --open", "all studies below bench_runs, in your browser"],
    ["assay ui bench_runs/my-study --port 4173", "one study, at a known port"],
    ["assay ui --allow-control", "the page may also pause and cancel"],
    ["assay ui --queue redis://host:6379", "the machines of a fleet, too"],
    [
      "assay ui a/bench_runs b/bench_runs --proxy-user X-Forwarded-User --public-url https://lab/assay",
      "several folders, for everybody whom your proxy lets in",
    ],
  ],
  agent: [
    [
      "assay agent --model scripted --strategy observation_masking --hp-obs-n 10 --instances-slice :3",
      "three instances, offline",
    ],
    ["assay agent --model deepseek-chat --strategy hybrid --dry-run", "what would run, and what it may cost"],
  ],
  push: [
    ["assay push fit s3://team/assay", "what the bucket doesn't have yet; again to resume"],
    ["assay push fit ssh://me@host/data/assay", "to a machine that your ssh reaches"],
    ["assay push fit /mnt/team/assay --records", "records only: enough to compare, plot and query"],
  ],
  pull: [
    ["assay pull s3://team/assay fit", "into bench_runs/fit, merged with what is there"],
    ["assay pull /mnt/team/assay --list", "which studies there are, and who pushed them"],
    ["assay pull ssh://me@host/data/assay --records", "the records of all studies there"],
  ],
  export: [
    ["assay export fit --table all --format parquet", "runs, series and instances, with their types"],
    ["assay export fit --to mlflow http://localhost:5000", "as runs of the experiment `fit`"],
    ["assay export fit --to wandb", "offline runs below wandb/, for `wandb sync`"],
  ],
  query: [
    ['assay query smoke "SELECT run_id, wall_ms FROM runs ORDER BY 2 LIMIT 5"', "the five shortest"],
    ['assay query smoke "SELECT * FROM series" --json', "all series, for a script"],
  ],
  compare: [
    ["assay compare my-study --by policy --baseline fifo", "cells of one study, paired by seed"],
    ["assay compare before after --metric wall_ms --goal minimize", "two studies"],
    ["assay compare results.csv --by strategy --metric resolved --task instance_id", "any table"],
    ["assay compare before after --margin 5% --fail-on regression,missing,failures", "a gate for CI"],
  ],
  power: [
    ["assay power --pilot my-pilot --decide 500", "runs, hours and dollars until it is decided"],
    ["assay power my-study --metric reward --precision 0.05", "seeds for ± 5 % of the mean, arm by arm"],
    ["assay power --pilot my-study --metric reward --by policy --effect 5%", "what finding 5 % takes"],
    ["assay power --pilot my-study --metric reward --by policy --mde", "what each number of seeds can find"],
    ["assay power --pilot my-study --metric reward --by policy --budget-usd 50", "what 50 dollars find"],
  ],
  report: [
    ["assay report my-study --open", "the page, in your browser"],
    ["assay report my-study --format md", "for a pull request"],
    ["assay report my-study --chart curves --metric reward --out curves.png", "learning curves with bands"],
    [
      "assay report my-study --chart paired --by policy --baseline a --candidate b --out pairs.svg",
      "two arms",
    ],
    ["assay report my-study --chart radial --metric reward,cost_usd,steps --out radial.png", "three metrics"],
  ],
  setup: [
    [
      `assay setup schema ${sims.simulator.target} > study.schema.json`,
      "editors then complete its parameters",
    ],
    ["assay setup schema journal.jsonl", "the JSON Schema of a record, for programs that read journals"],
    ["source <(assay setup bash)", "completion in this shell; put the line in ~/.bashrc"],
    ["source <(assay setup zsh)", "the same for zsh: in ~/.zshrc, below compinit"],
    ["assay setup fish > ~/.config/fish/completions/assay.fish", "the same for fish"],
    ["export PYTHONPATH=$(assay setup python)", "`import assay` in a notebook or a script"],
  ],
  rank: [
    ["assay rank my-study --metric reward --by policy --goal maximize", "best first, with groups"],
    ["assay rank my-study --metric cost_usd --by policy --out rank.png", "as a picture, too"],
  ],
  time: [
    [
      "assay time 'sort -n big.txt' 'sort --parallel=2 -n big.txt' --warmup 1",
      "which is faster, and how sure that is",
    ],
    ["assay time './build.sh' --prepare 'make clean' --runs 10", "a clean state before each run"],
    [
      "assay time 'seq {n}' -p n=1000,100000 --shell none --export-json times.json",
      "values; hyperfine's format",
    ],
  ],
  history: [
    ["assay history sort-numbers --metric duration_ms", "of a target, in all studies below bench_runs"],
    ["assay history my-bench --out history.png", "of one study, as a picture too"],
    ["assay history my-bench --fail-on regression --margin 5%", "a gate for CI"],
    [
      "assay history my-bench --run --setup 'npm ci'",
      "which commit it was, measuring half of those left each time",
    ],
  ],
  init: [
    ["assay init", "asks what you want to measure and writes study.yaml"],
    ["assay init target sort-numbers", "sort-numbers.ts, sort-numbers.yaml and sort-numbers.test.mjs"],
    ["assay init instrument file-sizes --dir bench", "an instrument of yours, with a study and a test"],
    ["assay init reporter failures", "a report of your own: failures.ts, a study that names it, a test"],
  ],
  status: [
    ["assay status", "all studies below bench_runs"],
    ["assay status my-study", "its progress, and why runs failed"],
    ["assay status my-study seed3", "everything about the run whose id has seed3 in it"],
    ["assay status my-study --changes src", "what changed in src since the last run"],
  ],
  recommend: Object.entries(sims.suites).flatMap(([name, { about }]) => [
    [`assay recommend ${name}`, about],
    [`assay run my-study.yaml --preset ${name}-recommended.yaml`, "use what it wrote"],
  ]),
  best: [
    ["assay best my-search", "the five best points, with intervals where there are several seeds"],
    ["assay best my-search --top 20 --json", "for a script"],
  ],
  confirm: [
    ["assay confirm my-search", "the best three on ten fresh seeds"],
    ["assay confirm my-search --top 2 --seeds 20 --baseline default", "against the point of all defaults"],
  ],
  traj: [
    ["assay traj runs/", "exits, turns, tokens and cost of all trajectories below a folder"],
    ["assay traj fixes", "of all runs of a study"],
    ["assay traj a.traj --to atif a.json", "convert one"],
    ["assay traj replay a.traj --strategy observation_masking --obs-n 10", "what masking would have saved"],
  ],
  score: [
    ["assay score study.yaml", "after a change of a scorer: the stored outputs get new scores, nothing runs"],
    ["assay score quiz --all", "score every output again, such as with a judge that varies"],
    ["assay score nightly", "of coding agents: grade the recorded patches of the newest launch again"],
    ["assay score nightly --rollout 20250824__12-34-56", "those of another launch"],
  ],
  agents: [
    ["assay agents", "which coding agents are here, and in which version"],
    ["assay agents install codex claude", "each in the version that Assay was tested with"],
    ["assay agents install codex@latest", "the newest; a study can pin any installed version"],
  ],
  tasks: [
    ["assay tasks check tasks/*", "which tasks the oracle solves, and nothing else does"],
    ["assay tasks check tasks/* --jobs 8 --json", "for a script; the same command resumes a stopped check"],
  ],
  split: [
    [
      "assay tasks split swe-bench-lite.parquet tasks",
      "one task per instance; clones in tasks/repos go before GitHub's",
    ],
  ],
  images: [
    ["assay tasks images", "which images were built for tasks, and how large they are"],
    [
      "assay tasks images --older-than 30d --keep-gb 50",
      "remove what was unused for a month, then the oldest above 50 GB",
    ],
  ],
  summarize: [
    ["assay summarize nightly --latest", "what the newest launch of nightly.toml shows"],
    ["assay summarize nightly --rollout 20250824__12-34-56 --format csv > runs.csv", "one row per rollout"],
  ],
  import: [
    ["assay import jobs/2026-01-30__12-00-00 --name claude-vs-codex", "a Harbor job"],
    ["assay import logs/ --name inspect-logs", "all Inspect logs of a folder"],
    [
      "assay import gpt-4o.my-run.json --name swe-bench",
      "a report of SWE-bench's harness, with the logs next to it",
    ],
    [
      "assay import eval_results.json --set model=gpt-5 --missing failed",
      "results of SWE-bench Pro, counted as a leaderboard does",
    ],
  ],
} as const;

/** What stands below the options in a command's help, as wide as the terminal. */
export function examples(name: keyof typeof EXAMPLES) {
  return ({ command }: { command: Command }): string => {
    const width = command.configureOutput().getOutHelpWidth?.() ?? 80;
    const lines = EXAMPLES[name].flatMap(([line, what]) => [
      ...wrap(line!, width - 4, /(?:'[^']*'|"[^"]*"|[^\s'"])+/g).map(
        (part, i, all) => `${i === 0 ? "  " : "    "}${part}${i < all.length - 1 ? " \\" : ""}`,
      ),
      ...wrap(what!, width - 6).map((part) => `      ${part}`),
    ]);
    return `\nExamples:\n${lines.join("\n")}`;
  };
}

/** As few lines as fit; a word that is longer stands alone. */
function wrap(text: string, width: number, words = /\S+/g): string[] {
  const lines: string[] = [];
  for (const [word] of text.matchAll(words)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
