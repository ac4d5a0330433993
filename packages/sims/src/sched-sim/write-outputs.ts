import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { csvText } from "../csv-text.ts";
import { makeStations } from "./engine/make-stations.ts";
import type { SimResult } from "./result/sim-result.ts";
import { perfettoJson } from "./trace/perfetto-json.ts";
import { type SlotInfo, traceJson } from "./trace/trace-json.ts";

/** Writes a run's files into a folder; traces in pieces, so that their size doesn't matter. */
export function writeOutputs(result: SimResult, dir: string): void {
  const { summary, notes, workflows, tiers, trace, graph, params } = result;
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "summary.csv"), csvText([{ ...summary, notes: notes.join("; ") }]));
  writeFileSync(join(dir, "workflows.csv"), csvText(workflows));
  writeFileSync(join(dir, "tiers.csv"), csvText(tiers));
  if (trace === null) return;
  const slots = slotInfos(result);
  if (params.trace) writePieces(join(dir, "trace.json"), traceJson(trace, slots));
  if (params.perfetto) writePieces(join(dir, "trace.perfetto.json"), perfettoJson(trace, slots, graph));
}

function slotInfos({ params }: SimResult): SlotInfo[] {
  return makeStations(params).flatMap((station) =>
    Array.from({ length: station.concurrency }, (_, number) => ({
      tier: `${station.resource}_tier${station.tierId}`,
      costUsd: station.priceUsd,
      number,
    })),
  );
}

function writePieces(file: string, pieces: Iterable<string>): void {
  const descriptor = openSync(file, "w");
  try {
    for (const piece of pieces) writeFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}
