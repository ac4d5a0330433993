import { cautiousSd } from "../analysis/power/pilot.ts";
import type { DecisionPlan } from "../analysis/power/plan-decision.ts";
import { type PowerFindings, type PowerStudyOptions, powerStudy } from "../api/power-study.ts";
import { UserError } from "../core/errors.ts";
import { countText, durationText, numberText, percentText, plural, usdText } from "../core/number-text.ts";
import { missingLines } from "./missing-lines.ts";
import { printable, prose, styleFor, table } from "./terminal.ts";

/** From here on, a pilot's spread may be so much larger that a plan made with it is a guess. */
const ROUGH_PERCENT = 10;

interface PowerCommand extends PowerStudyOptions {
  pilot?: string;
  mde?: boolean;
  json?: boolean;
}

export async function power(words: string[], options: PowerCommand): Promise<void> {
  const pilot = options.pilot === undefined ? words : [options.pilot, ...words];
  if (pilot.length === 0)
    throw new UserError("no pilot was named", {
      remedy: "assay power --pilot STUDY --metric NAME --effect 5%; a pilot of 5 to 15 seeds will do.",
    });
  if (options.mde && options.effect)
    throw new UserError("--mde and --effect ask opposite questions", { remedy: "Leave one out." });
  const findings = await powerStudy(pilot, options);
  if (options.json) {
    const { runs: _, ...measured } = findings.measured;
    console.log(JSON.stringify({ ...findings, measured }));
  } else console.log(prose(lines(findings).join("\n")));
}

function lines(findings: PowerFindings): string[] {
  const { measured, pilot, plans, effect, decisions } = findings;
  if (decisions) return decisionLines(findings, decisions);
  const { bold, dim } = styleFor(process.stdout);
  const out = [bold(question(findings)), pilotText(findings), ""];
  const isTasks = pilot.unit === "task";
  const header = [
    "design",
    `${pilot.unit}s per arm`,
    ...(isTasks ? ["rollouts"] : []),
    "runs",
    "time",
    "cost",
  ];
  const last = effect === null ? ["smallest effect found", "of baseline"] : ["if the spread is larger"];
  const rows = plans.map((plan) => [
    ...[plan.design, countText(plan.units), ...(isTasks ? [plan.rollouts] : []), countText(plan.runs)],
    ...[
      plan.hours === null ? "unknown" : durationText(plan.hours * 3_600_000),
      plan.usd === null ? "unknown" : usdText(plan.usd),
    ],
    ...(effect === null
      ? plan.effect === null
        ? [`none: ${numberText(pilot.largest)} at most`, ""]
        : [numberText(plan.effect), share(plan.effect, pilot.baselineMean)]
      : [plan.cautious === null ? "unknown" : plural(plan.cautious, pilot.unit)]),
  ]);
  out.push(table([...header, ...last], rows), "");
  out.push(...remarks(findings).map((text) => dim(`note: ${text}`)), ...missingLines(measured));
  return out;
}

/** What a study that decides as it goes takes, by how much the arms truly differ. */
function decisionLines(findings: PowerFindings, decisions: readonly DecisionPlan[]): string[] {
  const { pilot, alpha, alike, measured } = findings;
  const { bold, dim } = styleFor(process.stdout);
  const all = decisions[0]!.worst;
  const costs = ({ runs, hours, usd }: DecisionPlan["mean"]) =>
    [
      plural(runs, "run"),
      hours === null ? "time unknown" : durationText(hours * 3_600_000),
      usd === null ? "cost unknown" : usdText(usd),
    ].join(", ");
  const rows = decisions.map(({ effect, mean, late, decided }) => [
    numberText(effect),
    ...[countText(mean.units), costs(mean), countText(late.units), costs(late), percentText(decided)],
  ]);
  const unit = `${pilot.unit}s`;
  return [
    bold(
      `A study of at most ${plural(all.units, pilot.unit)} that decides as it goes (error ${numberText(alpha)} at every look):`,
    ),
    pilotText(findings),
    "",
    table(
      ["true difference", `mean ${unit}`, "", `9 of 10 take at most, ${unit}`, "", "decided early"],
      rows,
    ),
    "",
    `At worst: all ${plural(all.units, pilot.unit)}, ${costs(all)}.`,
    dim(
      "note: Simulated with the rule that decides; time is the pilot's mean wall time per run, for both arms.",
    ),
    ...(alike === undefined
      ? []
      : [dim(`note: For arms like the ${alike} agents of the history; \`assume: nothing\` takes longer.`)]),
    ...measured.cautions.map((text) => dim(`note: ${printable(text)}`)),
    ...missingLines(measured),
  ];
}

function question({ effect, power, alpha, side, pilot, measured }: PowerFindings): string {
  const test = `power ${numberText(power)}, ${side} at ${numberText(alpha)}`;
  if (effect === null) return `Which difference of ${measured.metric} would be found (${test})?`;
  return `To find a difference of ${numberText(effect)} in ${measured.metric} (${share(effect, pilot.baselineMean)} of ${printable(pilot.arms[0])}; ${test}):`;
}

function pilotText({ pilot, measured }: PowerFindings): string {
  const arms = pilot.arms.map(printable).join(" and ");
  const spreads = [`sd within an arm ${numberText(pilot.armSd)}`];
  if (pilot.pairedSd !== undefined) spreads.unshift(`sd of differences ${numberText(pilot.pairedSd)}`);
  if (pilot.components.known) {
    const { betweenSd, withinSd } = pilot.components;
    spreads.push(
      `between tasks ${numberText(betweenSd)}, within ${withinSd.map((sd) => numberText(sd)).join(" and ")}`,
    );
  }
  return `Pilot: ${printable(measured.study)}, ${arms}, ${plural(pilot.units, pilot.unit)}; ${spreads.join("; ")}.`;
}

function remarks(findings: PowerFindings): string[] {
  const { pilot, jobs, measured, effect, comparisons, arms } = findings;
  const out = [...measured.cautions.map(printable)];
  if (comparisons > 1)
    out.push(
      `${arms} arms make ${plural(comparisons, "comparison")}${comparisons < arms ? ` with ${printable(pilot.arms[0])}` : ""}, each at ${numberText(findings.alpha)}. The plan is for ${pilot.arms.map(printable).join(" and ")}, whose differences spread most; --baseline and --candidate plan for two arms alone.`,
    );
  if (pilot.unit === "task" && !pilot.components.known)
    out.push(`Rollouts can't be planned: ${pilot.components.why}.`);
  if (pilot.pairedSd === 0)
    out.push("All pairs differ by the same amount: the pilot shows no spread of differences.");
  if (pilot.arms.length === 1)
    out.push("One arm: the other is taken to vary as much, and what pairing would save is unknown.");
  if (pilot.pairedSd !== undefined && pilot.pairedSd ** 2 > 1.9 * pilot.armSd ** 2)
    out.push("Pairing saves nothing here: the same seed does not make these arms alike.");
  if (pilot.runUsd === null) out.push("The pilot's runs have no cost, so dollars are unknown.");
  out.push(
    `Time is the pilot's mean wall time per run, ${jobs === 1 ? "one run after another" : `${jobs} runs at a time`}, for ${arms === 2 ? "both" : `all ${arms}`} arms.`,
  );
  const larger = Math.round(100 * (cautiousSd(1, pilot.pairedDegrees || pilot.armDegrees) - 1));
  const size = `A pilot of ${plural(pilot.units, pilot.unit)} knows its spread`;
  const knows = larger < ROUGH_PERCENT ? `${size} to about ${larger} %` : `${size} only roughly`;
  if (effect === null)
    out.push(`${knows}: effects may be ${larger} % larger (upper end of its 80 % interval).`);
  else out.push(`${knows}: the last column plans with the upper end of its 80 % interval.`);
  return out;
}

function share(effect: number, mean: number): string {
  return mean === 0 ? "" : percentText(effect / Math.abs(mean));
}
