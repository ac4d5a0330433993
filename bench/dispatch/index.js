// 2,000 runs of a tiny program, two at a time, with captured output, a meta.json a run and a journal.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assay, compile, has, inTurn, missing, peer, row, scratch, seconds } from "../support/measure.js";

const RUNS = 2000;
const REPEATS = 5;

export default async function measure() {
  const sweep = peer("dispatch/sweep.py");
  if (!sweep) return [missing("dispatch", "../shared/peers is absent")];
  const dir = scratch("dispatch");
  const tiny = compile(peer("dispatch/tinycsv.c"), join(dir, "tinycsv"));
  const limit = compile(peer("dispatch/limit.c"), join(dir, "limit"));
  copyFileSync(sweep, join(dir, "sweep.py"));
  const study = {
    study: "tiny",
    target: { command: [tiny, "${out_dir}/summary.csv"] },
    seeds: RUNS,
    executor: { jobs: 2 },
  };
  writeFileSync(join(dir, "tiny.json"), JSON.stringify(study));
  const fresh = (name, repeat) => {
    const folder = join(dir, `${name}-${repeat}`);
    mkdirSync(folder);
    return folder;
  };
  const contestants = {
    ours: (i) =>
      seconds(
        process.execPath,
        [assay, "run", "tiny.json", "-q", "--no-report", "--out-root", fresh("ours", i)],
        { cwd: dir },
      ),
    python: (i) => seconds("python3", ["sweep.py", "full", String(RUNS), fresh("python", i)], { cwd: dir }),
    limit: (i) => seconds(limit, ["full", String(RUNS), fresh("limit", i)], { cwd: dir }),
  };
  if (has("parallel")) {
    contestants.parallel = (i) => {
      const folder = fresh("parallel", i);
      const command = `seq ${RUNS} | parallel -j2 --results ${folder}/r --joblog ${folder}/log ${tiny} ${folder}/{}.csv`;
      return seconds("sh", ["-c", command], { cwd: dir });
    };
  }
  const { ours, python, parallel, limit: floor } = inTurn(REPEATS, contestants);
  return [
    row(`dispatch ${RUNS} programs`, ours, python, { rival: "Python thread pool", most: 1 }),
    parallel === undefined
      ? missing("dispatch vs GNU parallel", "parallel is not installed")
      : row(`dispatch ${RUNS} programs`, ours, parallel, { rival: "GNU parallel", most: 0.5 }),
    {
      ...row(`dispatch ${RUNS} programs`, ours, floor, { rival: "C vfork", most: 2 }),
      target: "-",
      ok: null,
      note: "the limit, for orientation",
    },
  ];
}
