import { UserError } from "../core/errors.ts";
import { suggestion } from "../core/suggest.ts";
import type { ArmIndex } from "./arms.ts";
import type { Ask, Design, Source } from "./design.ts";
import type { Shape } from "./factors.ts";

interface BaselineQuestion {
  ask: Ask;
  study: Shape | undefined;
  sources: readonly Source[];
  isWhole: boolean;
}

export function baselineOf(
  book: ArmIndex,
  { ask, study, sources, isWhole }: BaselineQuestion,
): Pick<Design, "baseline" | "isBaselineDeclared"> {
  if (isWhole) {
    const labels = sources.map(({ label }) => label);
    if (labels.length < 2) return { baseline: null, isBaselineDeclared: false };
    const asked = ask.baseline === undefined ? labels[0]! : labels.find((label) => label === ask.baseline);
    if (asked === undefined)
      throw new UserError(`--baseline ${ask.baseline}`, {
        expected: `one of ${labels.join(", ")}`,
        remedy: suggestion(ask.baseline!, labels),
      });
    return { baseline: asked, isBaselineDeclared: true };
  }
  const declared = study?.analysis.baseline ? book.withValues(study.analysis.baseline) : undefined;
  const isVariants = book.by.length === 1 && book.by[0]!.name === "variant";
  const base = declared ?? (isVariants ? book.arms.find(({ name }) => name === "baseline") : undefined);
  if (ask.baseline !== undefined) {
    const asked = book.called(ask.baseline, "--baseline");
    return { baseline: asked.name, isBaselineDeclared: asked === base };
  }
  return { baseline: base?.name ?? null, isBaselineDeclared: base !== undefined };
}
