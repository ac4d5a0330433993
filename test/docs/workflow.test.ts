import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("the workflow runs the README's two commands on Node 20, 22 and 24", () => {
  const [, block] = /## Two commands\n\n```sh\n(.*?)\n```/s.exec(read("README.md"))!;
  const { test: job } = parse(read(".github/workflows/test.yml")).jobs;
  const steps: { run?: string }[] = job.steps;
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual(block!.split("\n"));
  expect(job.strategy.matrix.node).toEqual([20, 22, 24]);
});
