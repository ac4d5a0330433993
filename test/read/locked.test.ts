import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareStudies } from "../../src/api/compare-studies.ts";
import { lockStudy } from "../../src/api/lock-study.ts";
import { rankStudy } from "../../src/api/rank-study.ts";
import { viewStudy } from "../../src/read/view-study.ts";
import { LockedStudy } from "../support/locked-study.ts";

const FIXED = `study: aa
question: Does the new prompt score more?
target: { command: [sh, -c, "exit 0"] }
matrix: { arm: [old, new] }
seeds: 8
artifacts: none
analysis: { metric: score, goal: maximize, baseline: { arm: old } }
`;
const ADAPTIVE = FIXED.replace("{ arm: old } }", "{ arm: old }, decide: { range: [0, 10] } }");

function study(text = FIXED, gain = 3): LockedStudy {
  return new LockedStudy(text, ({ params, seed }, attempt) => ({
    metrics: {
      score: (seed % 4) / 2 + (params.arm === "new" ? gain + (seed % 3) / 4 : 0) + attempt / 10,
      other: seed,
    },
  }));
}

const standing = async (own: LockedStudy, request = {}) =>
  (await compareStudies([own.dir], request)).standing!;

describe("an answer of a locked study", () => {
  test("is planned where it is the plan's question of all of its runs, in compare and in the report", async () => {
    using own = study();
    const { lock, isNew } = await own.lock();
    expect(isNew).toBe(true);
    expect(lock.plan).toMatchObject({
      question: "Does the new prompt score more?",
      analysis: { metric: "score", goal: "maximize", baseline: { arm: "old" } },
      stop: { runs: 16 },
      failures: { count: "missing" },
    });
    expect((await own.lock()).isNew).toBe(false);
    await own.run({ only: "seed < 5" });
    expect(await standing(own)).toMatchObject({
      status: "exploratory",
      why: "a look before the end: 8 of 16 locked runs are there",
    });
    await own.run();
    const told = await compareStudies([own.dir]);
    expect(told.standing).toMatchObject({
      status: "planned",
      why: `it was locked at ${lock.at}, before the first run`,
      lock: { hash: lock.hash, deviations: [] },
    });
    expect(told.comparisons[0]!.verdict).toBe("better");
    expect((await viewStudy(own.dir)).answer!.status).toBe("planned");
  });

  test("is exploratory where anything else is asked, and each such question is counted", async () => {
    using own = study();
    await own.lock();
    await own.run();
    const questions = [
      { metrics: ["other"] },
      { where: "seed > 2" },
      { method: "wilcoxon" as const },
      { alpha: 0.2 },
      { side: "greater" as const },
      { goal: "minimize" as const },
      { baseline: "new" },
      { unpaired: true },
      { resamples: 999 },
      { margin: { value: 1, isShare: false } },
    ];
    for (const [i, request] of questions.entries())
      expect(await standing(own, request), JSON.stringify(request)).toMatchObject({
        status: "exploratory",
        questions: i + 1,
      });
    const { measured } = await rankStudy([own.dir]);
    expect(measured.standing).toMatchObject({ status: "exploratory", questions: 11 });
    const { warnings, comparisons } = await compareStudies([own.dir], { method: "t" });
    const k = 12;
    expect(warnings.map(({ text }) => text).join("\n")).toContain(
      `${k} questions that the locked plan doesn't have were asked`,
    );
    expect(comparisons[0]!.p).not.toBeNull();
    expect(await standing(own)).toMatchObject({ status: "planned" });
  });

  test("lists what was not done as planned, with its time, and is exploratory from there on", async () => {
    using more = study();
    await more.lock();
    await more.run();
    await compareStudies([more.dir]);
    await more.run({ seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });
    const { warnings, standing: told } = await compareStudies([more.dir]);
    expect(told!.lock!.deviations).toHaveLength(1);
    expect(told!.why).toContain("one deviation");
    expect(told!.lock!.deviations).toEqual([
      { at: expect.stringMatching(/^20/), text: expect.stringContaining("seeds was [1,2,3,4,5,6,7,8]") },
    ]);
    expect(warnings.map(({ text }) => text).join("\n")).toContain("Deviation from the locked plan at 20");
    const { warnings: shown, answer } = await viewStudy(more.dir);
    expect(answer!.status).toBe("exploratory");
    expect(shown.map(({ kind }) => kind)).toContain("deviation");

    using arms = study();
    await arms.lock();
    await arms.run();
    arms.edit("[old, new]", "[old, new, newer]");
    await arms.run();
    expect((await standing(arms)).lock!.deviations[0]!.text).toContain("axes was");

    using again = study();
    await again.lock();
    await again.run();
    await again.run({ rerun: "all" });
    expect((await standing(again)).lock!.deviations[0]!.text).toBe(
      "16 runs were done or scored again after a result",
    );

    using gone = study();
    await gone.lock();
    await gone.run();
    await compareStudies([gone.dir]);
    gone.remove("journal.jsonl");
    await gone.run();
    expect((await standing(gone)).lock!.deviations[0]!.text).toBe(
      "16 runs had been seen, and the journal had 0 left",
    );
  });

  test("is exploratory where the plan was edited, removed, or locked after runs", async () => {
    using edited = study();
    await edited.lock();
    await edited.run();
    const text = readFileSync(`${edited.dir}/locked.json`, "utf8");
    edited.folder.write("out/aa/locked.json", text.replace('"maximize"', '"minimize"'));
    expect((await standing(edited)).lock!.deviations[0]!.text).toContain("was edited");
    edited.remove("locked.json");
    expect((await standing(edited)).lock!.deviations[0]!.text).toBe("locked.json is gone");

    using late = study();
    await late.run();
    await expect(late.lock()).rejects.toThrow(/can't be locked any more/);
  });

  test("is exploratory at the second try at the same question, under whatever name", async () => {
    using own = study();
    await own.lock();
    await own.lock({ seeds: [1, 2] });
    const first = await own.lock({ seeds: [1, 2, 3] });
    expect(first.lock.earlier).toEqual([]);
    await own.run({ seeds: [1, 2, 3] });
    const second = await own.lock({ name: "another", seeds: [4, 5, 6] });
    expect(second.lock.earlier).toEqual([{ at: first.lock.at, hash: first.lock.hash, where: "aa" }]);
    await own.run({ name: "another", seeds: [4, 5, 6] });
    const told = (await compareStudies([`${own.folder.path}/out/another`])).standing!;
    expect(told).toMatchObject({ status: "exploratory", why: expect.stringContaining("try 2 at the same") });
  });

  test("is the decision, where the plan decides as it goes, and more seeds are no deviation", async () => {
    using own = study(ADAPTIVE, 7);
    await own.lock();
    await own.run();
    const { decision, standing: beside } = await compareStudies([own.dir]);
    expect(decision!.standing).toMatchObject({ status: "planned" });
    expect(beside).toMatchObject({
      status: "exploratory",
      why: expect.stringContaining("decides as it goes"),
    });
    const seeds = Array.from({ length: 40 }, (_, i) => i + 1);
    await own.run({ seeds });
    const longer = await compareStudies([own.dir]);
    expect(longer.decision).toMatchObject({ isDecided: true, standing: { status: "planned" } });
    expect((await viewStudy(own.dir)).answer).toMatchObject({ status: "planned", verdict: "better" });
    own.edit("[old, new]", "[old, new, newer]");
    await own.run({ seeds });
    expect((await compareStudies([own.dir])).decision!.standing!.status).toBe("exploratory");
  });
});

test("a lock is an annotated tag of the repository, which remembers it when the folder is gone", async () => {
  using own = study();
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", own.folder.path, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      encoding: "utf8",
    });
  git("init", "-q");
  git("add", "study.yaml");
  git("commit", "-qm", "a study");
  const outRoot = `${own.folder.path}/out`;
  const { lock } = await lockStudy(own.file, { outRoot });
  expect(lock.git!.tag).toBe(`assay/aa-${lock.hash.slice(0, 12)}`);
  expect(git("cat-file", "-t", lock.git!.tag).trim()).toBe("tag");
  expect(git("tag", "-l", "--format=%(contents)", lock.git!.tag)).toContain(`"hash":"${lock.hash}"`);
  const again = await lockStudy(own.file, { outRoot: `${own.folder.path}/elsewhere`, seeds: [21, 22] });
  expect(again.lock.earlier).toEqual([{ at: lock.at, hash: lock.hash, where: `git tag ${lock.git!.tag}` }]);
});
