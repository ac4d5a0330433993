import { type Confounder, confounderWords } from "../../design/confounders.ts";
import type { Compared } from "./compare-arms.ts";

/** What differs besides what was asked goes with every verdict: either may be the cause. */
export function qualify(
  compared: Compared,
  confounders: readonly Confounder[],
  names: readonly string[],
): Compared {
  if (confounders.length === 0) return compared;
  const words = confounderWords(confounders);
  const listed = confounders.map(({ what, values }) => `${what} (${values.join("; ")})`).join(", ");
  return {
    ...compared,
    confounders: [...confounders],
    comparisons: compared.comparisons.map((one) => ({
      ...one,
      sentence: one.verdict === "unknown" ? one.sentence : one.sentence.replace(/\.$/, `; ${words}.`),
    })),
    warnings: [
      {
        ...{ kind: "confounded", level: "warn" },
        text: `${names.join(" and ")} differ in more than what was asked: ${listed}. What is found may come from any of these.`,
      },
      ...compared.warnings,
    ],
  };
}
