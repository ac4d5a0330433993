import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { fixture, type Project } from "../support/fixture.ts";

/** A study that was run in a git checkout; its results are not in git. */
async function launched(): Promise<Project & { git: (...words: string[]) => string }> {
  const project = await fixture("sums", {
    ".gitignore": "bench_runs\nran.txt\n",
    "trainer/a.py": "one\n",
    "notes.txt": "x\n",
  });
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"];
  const git = (...words: string[]) =>
    execFileSync("git", [...identity, ...words], { cwd: project.dir, encoding: "utf8" });
  git("init", "-q", "-b", "trunk");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  return Object.assign(project, { git });
}

describe("changes since the last launch", () => {
  test("that ran something: one that found all done says that the code has changed, and hides nothing", async () => {
    await using project = await launched();
    await project.assay("run", "study.yaml", "-q", "--no-report");
    const again = await project.assay("run", "study.yaml", "--no-report");
    expect(again.stdout).not.toContain("the code has changed");
    project.write("trainer/a.py", "one\ntwo\n");
    const edited = await project.assay("run", "study.yaml", "--no-report");
    expect(edited.stdout).toMatch(
      /the code has changed since these results \(commit \w{7}\): uncommitted changes/,
    );
    project.git("commit", "-qam", "The trainer does two things");
    const committed = await project.assay("run", "study.yaml", "--no-report");
    expect(committed.stdout).toMatch(
      /the code has changed since these results \(commit \w{7}\): now commit \w{7}/,
    );
    const changes = JSON.parse((await project.assay("changes", "sums", "--json")).stdout);
    expect(changes.files).toEqual([{ path: "trainer/a.py", added: 1, deleted: 0 }]);
  });

  test("none, then a commit and an edit, in all files or in chosen ones", async () => {
    await using project = await launched();
    await project.assay("run", "study.yaml", "-q", "--no-report");
    const commit = project.git("rev-parse", "HEAD").trim();
    const none = await project.assay("changes", "sums");
    expect(none, none.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`commit ${commit}\n`),
    });
    expect(none.stdout).toContain("nothing has changed since then");

    project.write("trainer/a.py", "one\ntwo\n");
    project.git("commit", "-qam", "The trainer does two things");
    project.edit("notes.txt", "x", "y");
    project.write("new.txt", "new\n");
    const all = JSON.parse((await project.assay("changes", "sums", "--json")).stdout);
    expect(all).toMatchObject({ study: "sums", commit, wasDirty: false, untracked: ["new.txt"] });
    expect(all.commits.map(({ subject }: { subject: string }) => subject)).toEqual([
      "The trainer does two things",
    ]);
    expect(all.files).toEqual([
      { path: "notes.txt", added: 1, deleted: 1 },
      { path: "trainer/a.py", added: 1, deleted: 0 },
    ]);

    const chosen = await project.assay("changes", "sums", "--", "trainer");
    expect(chosen.stdout).toMatch(
      /1 commit in trainer since then:\n {2}[0-9a-f]{12} {2}The trainer does two things\n/,
    );
    expect(chosen.stdout).toMatch(/1 file changed in trainer:\n {2}trainer\/a\.py {2}\+1 -0\n$/);
    const other = await project.assay("changes", "sums", "study.yaml");
    expect(other.stdout).toContain("nothing has changed in study.yaml since then");
  });

  test("what was uncommitted at the launch and still is has not changed; undone, it has", async () => {
    await using project = await launched();
    project.write("trainer/a.py", "one\ntwo\n");
    await project.assay("run", "study.yaml", "-q", "--no-report");
    const same = await project.assay("changes", "sums");
    expect(same.stdout).toContain("with uncommitted changes (they are in study.json)\nnothing has changed");
    project.write("trainer/a.py", "one\ntwo\nthree\n");
    expect((await project.assay("changes", "sums")).stdout).toContain("trainer/a.py  +2 -0");
    project.write("trainer/a.py", "one\n");
    expect((await project.assay("changes", "sums", "trainer")).stdout).toContain("trainer/a.py  +0 -0");
    // A launch that runs something is a new point to count from.
    await project.assay("run", "study.yaml", "-q", "--no-report", "--rerun", "all");
    expect((await project.assay("changes", "sums")).stdout).toContain("nothing has changed");
  });

  test("outside of git, or with another history, it says so", async () => {
    await using project = await fixture("sums");
    await project.assay("run", "study.yaml", "-q", "--no-report");
    const outside = await project.assay("changes", "sums");
    expect(outside).toMatchObject({ code: 2, stderr: expect.stringContaining("records no commit") });
    await using other = await launched();
    await other.assay("run", "study.yaml", "-q", "--no-report");
    const path = "bench_runs/sums/study.json";
    other.write(path, other.read(path).replace(/"commit": ?"[0-9a-f]{40}"/, `"commit":"${"ab".repeat(20)}"`));
    const unknown = await other.assay("changes", "sums");
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does not know the commit abababababab"),
    });
  });
});
