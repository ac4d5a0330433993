import type { Account, Trajectory, Turn } from "../../src/core/trajectory.ts";
import { numberText } from "../../src/plots/number-text.ts";
import type { Fact } from "../../src/reporters/study-view.ts";
import { durationText } from "./time-text.ts";

/** What a turn took, in words; nothing of what is unknown. */
export function turnFacts({ usage, costUsd, wallMs, modelMs, toolMs, context }: Turn): string[] {
  const prompt = promptOf(usage) ?? context?.promptTokens;
  const facts: (string | false | undefined)[] = [
    prompt !== undefined && `${count(prompt)} in${usage?.cached ? ` (${count(usage.cached)} cached)` : ""}`,
    usage?.output !== undefined && `${count(usage.output)} out`,
    usage?.reasoning ? `${count(usage.reasoning)} of it reasoning` : undefined,
    costUsd !== undefined && dollars(costUsd),
    wallMs !== undefined && durationText(wallMs),
    wallMs === undefined && modelMs !== undefined && `model ${durationText(modelMs)}`,
    wallMs === undefined && toolMs !== undefined && `tool ${durationText(toolMs)}`,
  ];
  return facts.filter((fact) => typeof fact === "string");
}

/** What the whole took; what a file does not say is said to be unknown. */
export function trajectoryFacts(trajectory: Trajectory): Fact[] {
  const { format, instance, model, exitStatus, isResolved, totals, parts } = trajectory;
  const prompt = promptOf(totals);
  const spent = Object.entries(parts ?? {}).flatMap(([who, account]) =>
    account?.costUsd === undefined ? [] : [`${who} ${dollars(account.costUsd)}`],
  );
  return [
    { label: "instance", value: instance ?? "unknown" },
    { label: "model", value: model ?? "unknown" },
    { label: "exit", value: exitStatus === null || exitStatus === "" ? "unknown" : exitStatus },
    ...(isResolved === undefined ? [] : [{ label: "solved", value: isResolved ? "yes" : "no" }]),
    { label: "calls", value: totals.calls === undefined ? "unknown" : count(totals.calls) },
    {
      label: "tokens in",
      value:
        prompt === undefined
          ? "unknown"
          : `${count(prompt)}${totals.cached === undefined ? "" : `, ${count(totals.cached)} of it cached`}`,
    },
    { label: "tokens out", value: totals.output === undefined ? "unknown" : count(totals.output) },
    {
      label: "cost",
      value:
        totals.costUsd === undefined
          ? "unknown"
          : `${dollars(totals.costUsd)}${spent.length > 1 ? ` (${spent.join(", ")})` : ""}`,
    },
    { label: "format", value: format },
  ];
}

export function promptOf(account: Account | undefined): number | undefined {
  return account?.input === undefined ? undefined : account.input + (account.cached ?? 0);
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function dollars(usd: number): string {
  return `$${numberText(usd)}`;
}
