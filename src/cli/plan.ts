import { existsSync } from "node:fs";
import { relative } from "node:path";
import { onOneLine } from "../core/errors.ts";
import { shellWord } from "../core/escape.ts";
import { countText, plural } from "../core/number-text.ts";
import { nameOf } from "../core/params.ts";
import { runOutDir, STUDY_FILES } from "../core/study-folder.ts";
import { countPending, History, selectPending } from "../engine/pending.ts";
import { estimateCells } from "../launch/estimate-cells.ts";
import { changedSince } from "../launch/launch-folder.ts";
import { scoringOf } from "../launch/launch-study.ts";
import { loadStudies } from "../launch/load-study.ts";
import { type PreparedStudy, prepareStudy } from "../launch/prepare-study.ts";
import { countAxes, countSaved } from "../plan/count-points.ts";
import { commandWords } from "../targets/command/fill-argv.ts";
import { overridesFrom, requireFile, type SelectionOptions } from "./overrides.ts";
import { takeFirst } from "./take-first.ts";
import { printable, printWarnings, styleFor } from "./terminal.ts";

interface PlanOptions extends SelectionOptions {
  runs?: boolean;
  limit: number;
  rerun?: string;
  json?: boolean;
}

const MOST_VALUES = 12;

/** Prints what would run and why; changes nothing. */
export async function plan(file: string | undefined, options: PlanOptions): Promise<void> {
  for (const loaded of loadStudies(requireFile(file), overridesFrom(options)))
    await planOne(await prepareStudy(loaded), options);
}

async function planOne(prepared: PreparedStudy, options: PlanOptions): Promise<void> {
  const { study, plan: runs, studyDir, program } = prepared;
  if (!options.json) printWarnings(study);
  if (study.search) {
    const { printSearchPlan } = await import("./plan-search.ts");
    return printSearchPlan(prepared, study.search, options);
  }
  const history = new History(`${studyDir}/${STUDY_FILES.journal}`, runs.axisNames);
  const selection = {
    plan: runs,
    history,
    studyDir,
    program,
    changedSince: changedSince(prepared),
    rerun: options.rerun ?? "failed",
    artifacts: study.artifacts,
    ...(prepared.isMeant && { isMeant: prepared.isMeant }),
    ...scoringOf(prepared),
  };
  const total = runs.count();
  const { pending, finished, scoring } = countPending(selection);
  const axes = countAxes(runs);
  const saved = countSaved(runs);
  const listed = options.runs ? takeFirst(selectPending(selection), options.limit) : [];
  history.close();
  if (options.json) {
    console.log(
      JSON.stringify({
        study: study.name,
        dialect: prepared.spec.dialect,
        studyDir,
        program,
        total,
        pending,
        ...(study.score && { scoring }),
        finished,
        saved,
        axes,
        seeds: study.seeds.length,
        ...(study.tasks && { tasks: study.tasks.length }),
        warnings: study.warnings ?? [],
        runs: listed.map(({ run, reason }) => ({ ...run, reason })),
      }),
    );
    return;
  }
  const style = styleFor(process.stdout);
  console.log(
    `${style.bold(study.name)} (${prepared.spec.dialect}): ${plural(total, "run")} -> ${relative(process.cwd(), studyDir) || "."}`,
  );
  if (prepared.isMeant || finished > 0 || existsSync(`${studyDir}/${STUDY_FILES.journal}`))
    console.log(
      `${countText(finished)} done before, ${countText(pending - scoring)} to run${scoring > 0 ? `, ${countText(scoring)} to score again` : ""}`,
    );
  console.log(`target ${program}`);
  for (const { name, values } of axes) {
    const shown = values
      .slice(0, MOST_VALUES)
      .map(
        ({ value, runs: count }) =>
          `${value === undefined ? "(inactive)" : onOneLine(nameOf(value))}: ${countText(count)}`,
      );
    const more = values.length > MOST_VALUES ? `, ... ${plural(values.length, "value")} in all` : "";
    console.log(`  ${name.padEnd(16)} ${shown.join(", ")}${more}`);
  }
  console.log(
    `  ${"seeds".padEnd(16)} ${study.seeds.slice(0, MOST_VALUES).join(", ")}${study.seeds.length > MOST_VALUES ? `, ... ${countText(study.seeds.length)} in all` : ""}`,
  );
  if (study.tasks) {
    const { tasks } = study;
    const more = tasks.length > MOST_VALUES ? `, ... ${countText(tasks.length)} in all` : "";
    console.log(`  ${"tasks".padEnd(16)} ${tasks.slice(0, MOST_VALUES).map(onOneLine).join(", ")}${more}`);
  }
  for (const line of await estimateCells(prepared)) console.log(printable(line));
  if (saved > 0) console.log(`inactive parameters save ${plural(saved, "run")}`);
  for (const { run, reason, generated } of listed) {
    console.log(`${onOneLine(run.id)}  ${style.dim(printable(reason))}`);
    if (study.target.kind === "command" && !generated) {
      const outDir = runOutDir(relative(process.cwd(), studyDir), run.id);
      const line = commandWords(study.target, run, outDir).map(shellWord).join(" ");
      console.log(style.dim(`    ${printable(prepared.redactor.text(line))}`));
    }
  }
  if (options.runs && pending > listed.length)
    console.log(`... and ${plural(pending - listed.length, "run")} more`);
}
