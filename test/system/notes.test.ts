import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lamps } from "../support/agent-pages.ts";
import type { Project } from "../support/fixture.ts";

describe("notes", () => {
  let project: Project;
  let ids: string[];

  beforeAll(async () => {
    project = await lamps();
    const { stdout } = await project.assay("query", "lamps", "SELECT run_id FROM runs ORDER BY 1", "--json");
    ids = JSON.parse(stdout).map(({ run_id }: { run_id: string }) => run_id);
  });
  afterAll(() => project?.[Symbol.asyncDispose]());

  test("of several people at once are all kept, stand in SQL, and say how far they agree", async () => {
    const writers = ["ada", "bo", "cy", "di", "ed", "flo"];
    const ended = await Promise.all(
      writers.map((by, i) =>
        project.assay(
          ...["note", "lamps", `</script>\u001b[31m'; DROP TABLE notes; --`, "--run", ids[0]!, "--by", by],
          ...["--verdict", i === 0 ? "fail" : "pass", "--tag", "loop"],
        ),
      ),
    );
    expect(ended.map(({ code }) => code)).toEqual(writers.map(() => 0));
    await project.assay("note", "lamps", "--task", "lamp-1", "--by", "ada", "--verdict", "pass");
    await project.assay("note", "lamps", "--run", ids[1]!, "--turn", "3", "--by", "ada", "--tag", "here");
    const sql = await project.assay(
      ...["query", "lamps", "--json"],
      "SELECT verdict, count(*) AS n, any_value(tags) AS tags FROM notes JOIN runs USING (run_id) WHERE turn IS NULL GROUP BY 1 ORDER BY 1",
    );
    expect(JSON.parse(sql.stdout)).toEqual([
      { verdict: "fail", n: 1, tags: ["loop"] },
      { verdict: "pass", n: 5, tags: ["loop"] },
    ]);
    const { stdout } = await project.assay("note", "lamps");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("Krippendorff's alpha: ");
    expect(stdout).toContain(`${ids[1]}, turn 3  #here`);
    const taken = await project.assay("note", "lamps", "--run", ids[0]!, "--by", "bo", "--clear", "--json");
    expect(JSON.parse(taken.stdout).notes.length).toBe(5);
  });

  test("on what the study does not have are refused with what it has", async () => {
    const task = await project.assay("note", "lamps", "x", "--task", "lamp-9");
    expect(task).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean") });
    expect(await project.assay("note", "lamps", "x", "--run", "nobody")).toMatchObject({ code: 2 });
    expect(await project.assay("note", "lamps", "x", "--turn", "1")).toMatchObject({ code: 2 });
  });
});
