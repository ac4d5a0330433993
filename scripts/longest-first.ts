import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first: begun last, one would keep a core alone. */
const LONGEST = [
  "system/docs-guides",
  "system/docs",
  "system/scaffold",
  "system/sweep",
  "system/slurm",
  "system/modules",
  "system/fleet",
  "system/agent",
  "system/identity",
  "system/example-tasks",
  "browser/views",
  "browser/live",
  "system/crash",
  "system/specs",
  "system/commands",
  "system/queue-outages",
  "system/rollouts",
  "system/coding/agents",
  "compare/verdict-calibration",
  "read/adversary",
  "read/one-answer",
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return rank < 0 ? LONGEST.length : rank;
    };
    const orderOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    // Of equals, the order that vitest gives them stays.
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => orderOf(a) - orderOf(b) || rankOf(a) - rankOf(b));
  }
}
