import { describe, expect, test } from "vitest";
import { countFailures } from "../../../src/analysis/rollouts/count-failures.ts";
import { nameAgents } from "../../../src/analysis/rollouts/name-agents.ts";
import { aRollout } from "../../support/a-rollout.ts";
import { aRecord, aStudy, aStudyFile, axis } from "../../support/a-study.ts";

const mine = { name: "mine", command: ["./mine"] };
const fileOf = (...agents: Parameters<typeof axis>[1][]) =>
  aStudyFile({
    study: aStudy({
      axes: [axis("agent", ...agents)],
      analysis: { metric: "score", baseline: { agent: agents[0]! } },
    }),
  });

describe("agents that are commands", () => {
  test("go by their names in the study, its baseline and its records", () => {
    const { file, records } = nameAgents(fileOf(mine, "codex", ["sh", "a.sh", "${repo}"]), [
      aRecord({ params: { agent: mine, model: "m" } }),
    ]);
    expect(file.study.axes[0]!.rows).toEqual([["mine"], ["codex"], ["sh a.sh"]]);
    expect(file.study.analysis).toEqual({ metric: "score", baseline: { agent: "mine" } });
    expect(records[0]!.params).toEqual({ agent: "mine", model: "m" });
  });

  test("stay apart where two share a name", () => {
    const file = fileOf(mine, { ...mine, env: { A: "1" } });
    expect(nameAgents(file, []).file).toBe(file);
  });
});

describe("records for comparisons", () => {
  const rollout = { target: { kind: "shipped" as const, name: "rollout" } };
  const broken = aRollout({ task: "a", seed: 1, owner: "agent" });

  test("of rollouts have a score of 0 where the agent failed, and none where the machine did", () => {
    const lost = aRollout({ task: "a", seed: 2, owner: "infrastructure" });
    const [first, second] = countFailures(rollout, [broken, lost]);
    expect(first).toMatchObject({ outcome: { status: "ok" }, metrics: { score: 0, solved: 0 } });
    expect(second).toBe(lost);
  });

  test("of other studies stay as they are", () => {
    expect(countFailures(aStudy(), [broken])).toEqual([broken]);
  });
});
