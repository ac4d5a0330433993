import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { rankStudy } from "../../src/api/rank-study.ts";
import { RandomStream } from "../../src/core/random.ts";
import { viewStudy } from "../../src/read/view-study.ts";
import { normalQuantile } from "../../src/stats/index.ts";
import { LockedStudy } from "../support/locked-study.ts";

/**
 * Somebody who wants a "significant, planned" claim, whatever it takes, on arms that don't differ. Each attempt is a new
 * study; within it any commands may be given, in any order, any of them again and again, until one makes the claim.
 * ATTEMPTS=1000 in the environment tries as often; CI has less time.
 */
const ATTEMPTS = Number(process.env.ATTEMPTS ?? 100);
const COMMANDS = 12;

const FIXED = `study: aa
target: { command: [sh, -c, "exit 0"] }
matrix: { arm: [old, new] }
seeds: 6
artifacts: none
analysis: { metric: score, goal: maximize, baseline: { arm: old } }
`;
const ADAPTIVE = FIXED.replace("{ arm: old } }", "{ arm: old }, decide: { range: [0, 1] } }");
const CLAIMS = ["better", "worse", "higher", "lower", "greater", "less"];

interface Claims {
  planned: boolean;
  /** The same, of what is not planned: shows what the adversary would get without a plan. */
  any: boolean;
}

test(`gets one in at most 5 % of ${ATTEMPTS} attempts, though any answer is significant in far more`, async () => {
  let [planned, any] = [0, 0];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const got = await tryAll(attempt);
    planned += Number(got.planned);
    any += Number(got.any);
  }
  console.log(`${planned} planned claims in ${ATTEMPTS} attempts, any claim in ${any}`);
  expect(planned / ATTEMPTS).toBeLessThanOrEqual(0.05);
  // Or the test would be of an adversary who does not try, or of a tool that never claims anything.
  expect(planned).toBeGreaterThan(0);
  expect(any / ATTEMPTS).toBeGreaterThan(0.2);
}, 3_600_000);

async function tryAll(attempt: number): Promise<Claims> {
  const stream = new RandomStream(attempt, "adversary");
  const next = stream.sequence();
  const draws = new RandomStream(attempt, "adversary's data").sequence();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const noise = () => Math.min(1, Math.max(0, 0.5 + 0.1 * normalQuantile(draws())));
  using own = new LockedStudy(pick([FIXED, FIXED, ADAPTIVE]), () => ({
    metrics: { score: noise(), other: noise(), third: noise() },
    ...(draws() < 0.05 && { outcome: { status: "failed" as const, owner: "agent" as const }, metrics: {} }),
  }));
  let name = "aa";
  const dir = () => `${own.folder.path}/out/${name}`;
  const seeds = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
  const got: Claims = { planned: false, any: false };
  const note = (isClaim: boolean, status: string | undefined) => {
    got.any ||= isClaim;
    got.planned ||= isClaim && status === "planned";
  };
  const ask = async (request: Parameters<typeof compareStudies>[1]) => {
    const { comparisons, standing, decision } = await compareStudies([dir()], {
      withPower: false,
      ...request,
    });
    for (const { verdict } of comparisons) note(CLAIMS.includes(verdict), standing?.status);
    for (const { verdict } of decision?.pairs ?? [])
      note(CLAIMS.includes(verdict ?? ""), decision!.standing?.status);
  };
  const run = (more: Parameters<LockedStudy["run"]>[0] = {}) => own.run({ name, ...more });
  const commands = [
    () => ask({}),
    () => ask({ metrics: [pick(["other", "third"])] }),
    () => ask({ where: `seed > ${1 + Math.floor(next() * 3)}` }),
    () => ask({ method: pick(["wilcoxon", "t", "permutation"] as const) }),
    () => ask({ alpha: 0.3 }),
    () => ask({ side: pick(["greater", "less"] as const) }),
    () => ask({ unpaired: true }),
    () => ask({ baseline: "new" }),
    () => ask({ seed: Math.floor(next() * 100) }),
    async () => {
      const { answer } = await viewStudy(dir());
      note(CLAIMS.includes(answer?.verdict ?? ""), answer?.status);
    },
    async () => {
      const { measured, arms } = await rankStudy([dir()], { resamples: 200, withProfiles: false });
      note(new Set(arms.map(({ letters }) => letters)).size > 1, measured.standing?.status);
    },
    () => run({ seeds: seeds(7 + Math.floor(next() * 6)) }),
    () => run({ rerun: "all" }),
    () => run({ rerun: "failed" }),
    () => run({ only: "seed < 4" }),
    () => run({ until: { until: "decided" } }),
    async () => {
      await own.run({ name, fresh: true });
      await own.lock({ name });
    },
    async () => {
      name = `aa${Math.floor(next() * 1e6)}`;
      await own.lock({ name, seeds: seeds(6).map((seed) => seed + Math.floor(next() * 1000)) });
      await own.run({ name, seeds: seeds(6) });
    },
    async () => {
      own.edit("metric: score", "metric: other");
      await own.lock({ name });
    },
    async () => {
      own.edit("goal: maximize", "goal: minimize");
      await run();
    },
    async () => own.edit("[old, new]", "[old, new, newer]"),
    async () => {
      const path = `${dir()}/journal.jsonl`;
      const lines = readFileSync(path, "utf8").split("\n");
      writeFileSync(path, lines.filter((_, i) => i % 2 === 0).join("\n"));
      await run();
    },
  ];
  if (next() < 0.8) await own.lock();
  if (next() < 0.5) await run({ only: "seed < 4" });
  else await run();
  if (next() < 0.5) await ask({});
  for (let i = 0; i < COMMANDS && !got.planned; i++) {
    try {
      await pick(commands)();
      if (next() < 0.5) await ask({});
    } catch (error) {
      // A command that is refused claims nothing.
      if ((error as Error).name !== "UserError" && (error as { code?: string }).code !== "ENOENT")
        throw error;
    }
  }
  return got;
}
