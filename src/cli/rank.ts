import { type RankFindings, type RankStudyOptions, rankStudy } from "../api/rank-study.ts";
import { numberText, percentText } from "../core/number-text.ts";
import { profileOf, rankingOf } from "../read/charts/arms.ts";
import { checkChartPath, writeChart } from "../read/write-chart.ts";
import { rankText, standingText } from "./compare-text.ts";
import { missingLines } from "./missing-lines.ts";
import { printable, prose, styleFor, table } from "./terminal.ts";

interface RankCommand extends RankStudyOptions {
  out?: string;
  profile?: string;
  json?: boolean;
}

export async function rank(words: string[], options: RankCommand): Promise<void> {
  for (const path of [options.out, options.profile]) if (path !== undefined) checkChartPath(path);
  const withProfiles = options.json === true || options.profile !== undefined;
  const findings = await rankStudy(words, { ...options, withProfiles });
  const { measured, profiles, goal } = findings;
  if (options.out !== undefined) await writeChart(rankingOf(measured, findings), options.out);
  if (options.profile !== undefined) await writeChart(profileOf(measured, profiles, goal), options.profile);
  if (options.json) {
    const { runs: _, ...facts } = measured;
    console.log(JSON.stringify({ ...findings, measured: facts }));
    return;
  }
  console.log(prose(lines(findings).join("\n")));
  for (const path of [options.out, options.profile]) if (path !== undefined) console.log(`\nPlot: ${path}`);
}

function lines(findings: RankFindings): string[] {
  const { measured, arms, sentence, also, goal, alpha, method, empty, cautions } = findings;
  const { bold, dim, yellow } = styleFor(process.stdout);
  const rows = arms.map(({ name, n, mean, interval, letters, ranks, chanceOfBest }, i) => [
    ...[i + 1, name, n, numberText(mean)],
    interval.known ? `${numberText(interval.low)} to ${numberText(interval.high)}` : "unknown",
    ...[letters, ranks === null ? "" : rankText(...ranks), chanceText(chanceOfBest)],
  ]);
  const header = ["", "arm", `${measured.counted}s`, "mean", "95 % interval", "group", "rank", "best in"];
  const out = [
    `${bold(printable(measured.what))}: ${goal === "maximize" ? "more" : "less"} is better`,
    table(header, rows),
    "",
    printable(sentence),
    ...also.map(printable),
    dim(`Arms that share a letter can't be told apart at ${alpha} (${method}).`),
    dim(
      `Rank: the places an arm may truly have (error at most ${alpha} for all together): behind every arm that is surely better, ahead of every one that is surely worse.`,
    ),
    dim(
      `Best in: share of bootstrap resamples of the ${measured.counted}s in which the arm has the best mean.`,
    ),
  ];
  for (const { name, why } of empty) out.push(yellow(`${printable(name)}: not ranked, because ${why}.`));
  for (const { name, interval } of arms)
    if (!interval.known) out.push(`${printable(name)}: no interval, because ${interval.why}.`);
  if (measured.standing) out.push(dim(standingText(measured.standing)));
  out.push(...missingLines(measured), ...cautions.map((text) => dim(`note: ${printable(text)}`)));
  return out;
}

function chanceText(share: number | null): string {
  if (share === null) return "unknown";
  if (share > 0 && share < 0.001) return "< 0.1 %";
  if (share < 1 && share > 0.999) return "> 99.9 %";
  return percentText(share);
}
