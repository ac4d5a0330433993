import { agentName } from "../../core/agent-name.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Params, Value } from "../../core/params.ts";
import type { RunRecord } from "../../core/run.ts";
import type { StudyFile } from "../../core/study-file.ts";

/**
 * A study and its records with agents by their names, as tables and charts call them. Where two agents share a name
 * everything stays as it is: to merge them would be worse than a long label.
 */
export function nameAgents(
  file: StudyFile,
  records: readonly RunRecord[],
): { file: StudyFile; records: RunRecord[] } {
  const { study } = file;
  const agents = [...new Map(agentsOf(file).map((agent) => [canonicalJson(agent), agent])).values()];
  const isPlain = agents.every((agent) => typeof agent === "string");
  if (isPlain || new Set(agents.map(agentName)).size < agents.length) return { file, records: [...records] };
  const named = (params: Params): Params =>
    Object.hasOwn(params, "agent") ? { ...params, agent: agentName(params.agent) } : params;
  const { baseline, ...analysis } = study.analysis;
  return {
    file: {
      ...file,
      study: {
        ...study,
        params: named(study.params),
        axes: study.axes.map(({ names, rows, ...axis }) => ({
          ...axis,
          names,
          rows: rows.map((row) =>
            row.map((value, column) => (names[column] === "agent" ? agentName(value) : value)),
          ),
        })),
        analysis: baseline ? { ...analysis, baseline: named(baseline) } : analysis,
      },
    },
    records: records.map((record) => ({ ...record, params: named(record.params) })),
  };
}

function agentsOf({ study: { params, axes, variants } }: StudyFile): Value[] {
  const fixed = [params, ...variants.map((variant) => variant.params)].flatMap(({ agent }) =>
    agent === undefined ? [] : [agent],
  );
  const varied = axes.flatMap(({ names, rows }) => {
    const column = names.indexOf("agent");
    return column < 0 ? [] : rows.map((row) => row[column]!);
  });
  return [...fixed, ...varied];
}
