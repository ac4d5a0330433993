import { type Replay, type ReplayRequest, replayTrajectories } from "../api/replay-trajectory.ts";
import { countText, numberText, percentText, plural } from "../core/number-text.ts";
import type { Params } from "../core/params.ts";
import { printable, styleFor, table } from "./terminal.ts";
import { placesOf } from "./traj.ts";

interface ReplayOptions {
  strategy: string;
  obsN?: number;
  sumN?: number;
  sumKeepM?: number;
  staticCheckpoint: boolean;
  extractActions?: boolean;
  summaryTokens: number;
  model?: string;
  prices?: string;
  context?: number;
  turns?: boolean;
  json?: boolean;
  outRoot?: string;
}

/** What another strategy would have sent, turn by turn. */
export async function trajReplay(words: string[], options: ReplayOptions): Promise<void> {
  const paths = placesOf(words, options);
  const request = requestOf(options);
  const replays: Replay[] = [];
  const problems: { file: string; problem: string }[] = [];
  for await (const one of replayTrajectories(paths, request)) {
    if ("problem" in one) problems.push(one);
    else replays.push(options.json || options.turns ? one : withoutTurns(one, replays.length > 0));
  }
  if (options.json) {
    console.log(
      JSON.stringify({
        strategy: request.strategy,
        params: request.params,
        assumptions: assumptions(request),
        files: replays,
        problems,
      }),
    );
    return;
  }
  const { bold, dim, yellow } = styleFor(process.stdout);
  for (const replay of replays)
    if (options.turns || replays.length === 1)
      console.log(`${bold(printable(replay.file))}\n${turnTable(replay)}\n`);
  if (replays.length > 0) console.log(totalsTable(replays));
  for (const { file, noPrice } of replays.slice(0, 5))
    if (noPrice !== undefined)
      console.log(yellow(`${printable(file)}: cost unknown, because ${printable(noPrice)}.`));
  for (const line of contextLines(replays, options.context)) console.log(yellow(line));
  for (const text of assumptions(request)) console.log(dim(`assumed: ${text}`));
  for (const { file, problem } of problems)
    console.log(yellow(`broken: ${printable(file)}: ${printable(problem)}`));
}

function requestOf(options: ReplayOptions): ReplayRequest {
  const given: Record<string, Params[string] | undefined> = {
    obs_n: options.obsN,
    sum_n: options.sumN,
    sum_keep_m: options.sumKeepM,
    static_checkpoint: options.staticCheckpoint ? undefined : false,
    extract_actions: options.extractActions,
  };
  const params = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Params;
  return {
    ...{ strategy: options.strategy, params, summaryTokens: options.summaryTokens },
    ...(options.model !== undefined && { model: options.model }),
    ...(options.prices !== undefined && { priceFile: options.prices }),
  };
}

function assumptions({ strategy, summaryTokens }: ReplayRequest): string[] {
  return [
    "the agent would have done the same, whatever it could no longer see",
    "tokens as o200k counts them, 4 more a message; definitions of tools are not recorded and not counted",
    "the ideal cache holds the longest beginning that a prompt shares with the one before, and never expires",
    ...(/summary|hybrid/.test(strategy)
      ? [
          `each summary has ${countText(summaryTokens)} tokens (--summary-tokens), written by a model of the same price, without cache`,
        ]
      : []),
  ];
}

function turnTable({ turns }: Replay): string {
  const hasRecorded = turns.some(({ recordedTokens }) => recordedTokens !== null);
  const header = [
    "turn",
    "prompt",
    "of it cached",
    "output",
    "masked",
    "summarised",
    ...(hasRecorded ? ["recorded"] : []),
  ];
  const rows = turns.map((turn) => [
    turn.turn,
    countText(turn.promptTokens),
    countText(turn.cachedTokens),
    countText(turn.outputTokens),
    turn.masked,
    turn.summary ? `turns ${turn.summary.fromTurn}-${turn.summary.toTurn}` : "",
    ...(hasRecorded ? [turn.recordedTokens === null ? "-" : countText(turn.recordedTokens)] : []),
  ]);
  return table(header, rows);
}

function totalsTable(replays: readonly Replay[]): string {
  const header = [
    "",
    "prompt",
    "of it cached",
    "longest",
    "output",
    "summaries",
    "$ no cache",
    "$ ideal cache",
  ];
  const row = (label: string, which: "raw" | "asked") => {
    const all = replays.map((replay) => replay[which]);
    const sum = (of: (totals: Replay["raw"]) => number) => all.reduce((total, one) => total + of(one), 0);
    const cost = (of: (usd: NonNullable<Replay["raw"]["costUsd"]>) => number) =>
      all.some(({ costUsd }) => costUsd === null) ? "-" : numberText(sum(({ costUsd }) => of(costUsd!)));
    return [
      label,
      countText(sum((totals) => totals.promptTokens)),
      countText(sum((totals) => totals.cachedTokens)),
      countText(Math.max(...all.map(({ peakTokens }) => peakTokens))),
      countText(sum((totals) => totals.outputTokens)),
      countText(sum(({ summaries }) => summaries.count)),
      cost((usd) => usd.withoutCache),
      cost((usd) => usd.withIdealCache),
    ];
  };
  const lines = [table(header, [row("the whole", "raw"), row("replayed", "asked")])];
  const [raw, asked] = (["raw", "asked"] as const).map((which) =>
    replays.reduce((total, replay) => total + replay[which].promptTokens, 0),
  );
  const known = replays.flatMap(({ recorded }) => recorded.promptTokens ?? []);
  lines.push(
    `${plural(replays.length, "file")}: ${savedText(raw!, asked!)} of the prompt tokens of whole conversations`,
  );
  if (known.length > 0 && known.length === replays.length) {
    const sent = known.reduce((total, one) => total + one, 0);
    lines.push(`the files say ${countText(sent)} were sent; counted here as a whole: ${countText(raw!)}`);
  }
  return lines.join("\n");
}

function savedText(raw: number, asked: number): string {
  if (raw === 0) return "unknown";
  return percentText(asked / raw);
}

function contextLines(replays: readonly Replay[], context: number | undefined): string[] {
  if (context === undefined) return [];
  return replays
    .filter(({ asked }) => asked.peakTokens > context)
    .map(
      ({ file, asked }) =>
        `${printable(file)}: a prompt of ${countText(asked.peakTokens)} tokens is longer than ${countText(context)}`,
    );
}

/** Of many files nobody reads the turns: they need not be kept. */
function withoutTurns(replay: Replay, isOneOfMany: boolean): Replay {
  return isOneOfMany ? { ...replay, turns: [] } : replay;
}
