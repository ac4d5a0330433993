import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest though they are short: begun last, they would keep one core alone. */
const LONGEST = ["docs.test.ts", "docs-guides.test.ts", "crash.test.ts", "slurm.test.ts"];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((name) => moduleId.endsWith(`/system/${name}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
