import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { compareArms } from "../../src/analysis/compare/compare-arms.ts";
import { renderComparison } from "../../src/reporters/compare-html.ts";
import { anArm, anArmSet } from "../support/an-arm-set.ts";

const EVIL = "</style><img src=x onerror=alert(1)>\u0007";

function pageOf(names: [string, string], metric = "score"): string {
  const set = anArmSet([anArm(names[0], [1, 2, 3, 4]), anArm(names[1], [2, 3.5, 4, 5.5])], {
    metric,
    goal: "maximize",
  });
  const words = {
    ...{
      title: `Comparison of ${names[0]}`,
      header: ["metric", "mean"],
      rows: [[metric, "2.5"]],
      command: names[0],
    },
    notes: [
      { title: "Pairing", lines: [names[0]] },
      { title: "Warnings", lines: [names[1]] },
    ],
  };
  return renderComparison(compareArms([set]), words, (name) => ({ name, unit: null, goal: null }));
}

describe("a comparison's page", () => {
  test("has the sentence, a forest, the pairs, the numbers and the values", () => {
    const page = pageOf(["old", "new"]);
    // Differences 1, 1.5, 1, 1.5: mean 1.25 of 2.5.
    expect(page).toMatch(/<strong>new beats old on score by 50 % \[/);
    expect(page).toContain('class="finding better"');
    expect(page.match(/<svg /g)).toHaveLength(2);
    expect(page).toContain("95 % confidence interval");
    expect(page).toContain("<summary>new against old, score (4)</summary>");
  });

  test("runs no script, asks for nothing, and takes no markup from the data", () => {
    const page = pageOf([EVIL, `${EVIL} 2`], EVIL);
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)![1]!;
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page).toContain(`script-src 'none'; style-src 'sha256-${hash}'`);
    expect(page.replaceAll(/"[^"]*"/g, "")).not.toMatch(/<img|<script|\sstyle=|<[a-z]+[^>]*\son[a-z]+\s*=/i);
    expect(page.match(/<style>/g)).toHaveLength(1);
    expect(page).not.toContain("\u0007");
  });
});
