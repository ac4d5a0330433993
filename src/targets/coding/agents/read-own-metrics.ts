import { errorText } from "../../../core/errors.ts";
import { readPlainFile } from "../read-plain-file.ts";
import type { AgentUsage } from "./agent.ts";

const MOST_BYTES = 1 << 20;
const KNOWN: Record<string, keyof Omit<AgentUsage, "others">> = {
  tokens_total: "tokensTotal",
  tool_calls: "toolCalls",
  money_spent_usd: "costUsd",
};

/** What a program says of its own work in `agent_metrics.json`; what it does not say stays unknown. */
export function readOwnMetrics(outDir: string): { usage: Partial<AgentUsage>; warnings: string[] } {
  const text = readPlainFile(`${outDir}/agent_metrics.json`, MOST_BYTES);
  if (text === undefined) return { usage: {}, warnings: [] };
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new Error("it is no object");
    const usage: Partial<AgentUsage> = {};
    const others: Record<string, number> = {};
    for (const [name, value] of Object.entries(given)) {
      if (typeof value !== "number" || !Number.isFinite(value) || value < 0) continue;
      if (Object.hasOwn(KNOWN, name)) usage[KNOWN[name]!] = value;
      else others[name] = value;
    }
    if (Object.keys(others).length > 0) usage.others = others;
    return { usage, warnings: [] };
  } catch (error) {
    return { usage: {}, warnings: [`the agent's agent_metrics.json can't be read: ${errorText(error)}`] };
  }
}
