import { basename } from "node:path";
import { ArmBook } from "../../analysis/compare/arm-book.ts";
import { readHyperfine } from "../../archive/read-hyperfine.ts";
import type { ArmSet } from "../../design/arm-set.ts";
import { metricFacts } from "../../design/metric.ts";

/** Makes arms of hyperfine's exports: its commands; a command of several files is told apart by the file. */
export function hyperfineArms(paths: readonly string[]): ArmSet[] {
  const book = new ArmBook([metricFacts("time_s", { asked: { goal: "minimize" } })]);
  const files = paths.map((path) => ({ path, results: readHyperfine(path) }));
  const commands = files.flatMap(({ results }) => results.map(({ command }) => command));
  const isTwice = (command: string) => commands.filter((other) => other === command).length > 1;
  for (const { path, results } of files) {
    for (const { command, times, exitCodes } of results) {
      const arm = isTwice(command) ? `${command} (${basename(path, ".json")})` : command;
      for (const [i, time] of times.entries()) {
        const isFailed = (exitCodes[i] ?? 0) !== 0;
        const place = { id: `run ${i + 1} of ${arm}`, arm, part: null, unit: null };
        if (isFailed) book.add({ ...place, owner: "agent" }, [null]);
        else book.add(place, [time]);
      }
    }
  }
  return book.sets({ keys: [], hasRollouts: false, isAsked: false });
}
