import { countText, durationText, usdText } from "../../src/core/number-text.ts";
import type { Account, Trajectory, Turn } from "../../src/core/trajectory.ts";
import type { Fact } from "../../src/reporters/study-view.ts";

/** What a turn took, in words; nothing of what is unknown. */
export function turnFacts({ usage, costUsd, wallMs, modelMs, toolMs, context }: Turn): string[] {
  const prompt = promptOf(usage) ?? context?.promptTokens;
  const facts: (string | false | undefined)[] = [
    prompt !== undefined &&
      `${countText(prompt)} in${usage?.cached ? ` (${countText(usage.cached)} cached)` : ""}`,
    usage?.output !== undefined && `${countText(usage.output)} out`,
    usage?.reasoning ? `${countText(usage.reasoning)} of it reasoning` : undefined,
    costUsd !== undefined && usdText(costUsd),
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
    account?.costUsd === undefined ? [] : [`${who} ${usdText(account.costUsd)}`],
  );
  return [
    { label: "instance", value: instance ?? "unknown" },
    { label: "model", value: model ?? "unknown" },
    { label: "exit", value: exitStatus === null || exitStatus === "" ? "unknown" : exitStatus },
    ...(isResolved === undefined ? [] : [{ label: "solved", value: isResolved ? "yes" : "no" }]),
    { label: "calls", value: totals.calls === undefined ? "unknown" : countText(totals.calls) },
    {
      label: "tokens in",
      value:
        prompt === undefined
          ? "unknown"
          : `${countText(prompt)}${totals.cached === undefined ? "" : `, ${countText(totals.cached)} of it cached`}`,
    },
    { label: "tokens out", value: totals.output === undefined ? "unknown" : countText(totals.output) },
    {
      label: "cost",
      value:
        totals.costUsd === undefined
          ? "unknown"
          : `${usdText(totals.costUsd)}${spent.length > 1 ? ` (${spent.join(", ")})` : ""}`,
    },
    { label: "format", value: format },
  ];
}

export function promptOf(account: Account | undefined): number | undefined {
  return account?.input === undefined ? undefined : account.input + (account.cached ?? 0);
}
