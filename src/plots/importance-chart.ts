import { type Bar, barsChart } from "./bars-chart.ts";

export interface ImportanceSpec {
  title: string;
  subtitle: string;
  xLabel: string;
  parameters: { name: string; share: number; interval: readonly [number, number] | null }[];
  points: number;
  notes: string[];
}

/** One bar a parameter, the most important first: the bars of a report with a single series. */
export function importanceChart({ parameters, points, ...text }: ImportanceSpec): string {
  const bars = parameters.map(({ share, interval }): (Bar | null)[] => [
    { value: share, interval, n: points },
  ]);
  return barsChart({
    ...text,
    rows: parameters.map(({ name }) => name),
    ...{ series: ["share of the variance"], panels: [{ title: "", bars }], isShared: true },
  });
}
