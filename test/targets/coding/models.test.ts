import { expect, test } from "vitest";
import type { Value } from "../../../src/core/params.ts";
import { rollout } from "../../../src/targets/coding/index.ts";

const asked = (agents: Value[]) => rollout.models!((param) => (param === "agent" ? agents : []));

test.each([
  ["codex", ["codex"], true],
  ["the default, which nothing names", [], true],
  ["one of several", ["oracle", { preset: "claude", version: "1.0.0" }], true],
  ["a program of your own with a gateway", [{ name: "own", command: ["./a.sh", "${gateway}"] }], true],
  ["a program of your own", [{ name: "own", command: ["./a.sh"] }], false],
  ["oracle and nop", ["oracle", "nop"], false],
])("a study of %s shares one gate for its models as it has to", (_, agents, isShared) => {
  expect(asked(agents)).toEqual({ names: [], isShared });
});
