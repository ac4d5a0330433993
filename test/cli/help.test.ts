import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { inNewWords } from "../../src/cli/old-names.ts";
import { createProgram } from "../../src/cli/program.ts";

/** The help of every command, as it is printed on a terminal of that width. */
function helpAt(width: number): { name: string; text: string }[] {
  const program = createProgram();
  const all = [program, ...program.commands];
  return all.map((command) => ({ name: command.name(), text: printed(command, width) }));
}

function printed(command: Command, width: number): string {
  const parts: string[] = [];
  command.configureOutput({ getOutHelpWidth: () => width, writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  return parts.join("");
}

/** What `assay help WORDS` prints. */
async function helpOf(...words: string[]): Promise<string> {
  const parts: string[] = [];
  const program = createProgram();
  for (const command of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)])
    command.configureOutput({ getOutHelpWidth: () => 80, writeOut: (part) => void parts.push(part) });
  await program.parseAsync(["help", ...words], { from: "user" });
  return parts.join("");
}

function commands(): { name: string; summary: string }[] {
  return createProgram()
    .commands.map((command) => ({ name: command.name(), summary: command.summary() }))
    .filter(({ name }) => name !== "__values");
}

describe("help", () => {
  test.each([60, 70, 80, 120])("fits a terminal of %i columns", (width) => {
    const isLong = (line: string) => line.length > width && line.trim().includes(" ");
    const tooLong = helpAt(width).flatMap(({ name, text }) =>
      text
        .split("\n")
        .filter(isLong)
        .map((line) => `${name}: ${line}`),
    );
    expect(tooLong).toEqual([]);
  });

  test("lists what most people need, in groups, and names the rest", async () => {
    const { text } = helpAt(80)[0]!;
    const groups = [...text.matchAll(/^(\w[\w ]*):$/gm)].map(([, name]) => name);
    expect(groups).toEqual([
      ...["Options", "Start", "Run", "Look", "Decide", "Agents", "Many machines", "Examples"],
    ]);
    expect(text).toMatch(/^Start:\n {2}try +run your own program/m);
    const listed = [...text.split("Examples:")[0]!.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(
      ([, name]) => name,
    );
    expect(listed.length).toBeLessThanOrEqual(28);
    for (const { name } of commands()) expect(text).toMatch(new RegExp(`^  (.* )?${name}( |$)`, "m"));
    const all = await helpOf("all");
    for (const { name, summary } of commands())
      expect(all).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, "m"));
  });

  test("of a command can be asked for by its old name, too", async () => {
    expect(await helpOf("images")).toContain("Usage: assay tasks images");
    expect(await helpOf("tasks", "check")).toContain("Usage: assay tasks check");
    await expect(helpOf("statu")).rejects.toThrow("Did you mean `assay help status`?");
    await expect(helpOf("nonsense")).rejects.toThrow("`assay help all` lists every command");
  });

  test("of a command, and of all, is the same where no other command was made", () => {
    const program = createProgram();
    expect(printed(createProgram("--help"), 80)).toBe(printed(program, 80));
    const helpsOf = (command: Command): string[] => [
      printed(command, 80),
      ...command.commands.flatMap((one) => helpsOf(one as Command)),
    ];
    for (const command of program.commands) {
      const name = command.name();
      const alone = createProgram(name).commands.find((one) => one.name() === name)!;
      expect(helpsOf(alone as Command), name).toEqual(helpsOf(command as Command));
    }
    const others = createProgram("run").commands.filter((one) => one.name() !== "run");
    expect(others.flatMap(({ options }) => options)).toEqual([]);
  });

  test("shows no command by two names", () => {
    const names = createProgram().commands.map((command) => command.name());
    for (const old of [
      "collect",
      "changes",
      "variance",
      "plot",
      "schema",
      "completion",
      "new",
      "attach",
      "eval",
      "images",
    ]) {
      expect(names).not.toContain(old);
      expect(names).toContain(inNewWords([old]).words[0]);
    }
  });
});

describe("an old name", () => {
  test.each([
    ["collect s --out-csv a.csv", "export s --out a.csv"],
    ["changes s src --json", "status --changes s src --json"],
    ["variance s --threshold 0.1 --output x.svg", "power s --precision 0.1 --out x.svg"],
    ["variance s", "power s --precision 0.05"],
    ["plot s --kind=arms --output=a.png", "report s --chart=arms --out=a.png"],
    ["new target x --dir y", "init target x --dir y"],
    ["attach s --json", "status --follow s --json"],
    ["eval nightly --latest", "score nightly --latest"],
    ["images --keep-gb 5", "tasks images --keep-gb 5"],
    ["schema", "setup schema"],
    ["completion zsh", "setup zsh"],
    ["python-path", "setup python"],
    ["query s SQL --csv", "query s SQL --format csv"],
    ["compare a b --md", "compare a b --format md"],
    ["compare a b --csv x.csv", "compare a b --csv x.csv"],
    ["run x -- --output", "run x -- --output"],
  ])("%s is %s", (before, now) => {
    expect(inNewWords(before.split(" ")).words.join(" ")).toBe(now);
  });

  test("says the new one", () => {
    expect(inNewWords(["collect", "s"]).notes).toEqual([
      "`assay collect` is now `assay export`; the old name still works",
    ]);
    expect(inNewWords(["query", "s", "SQL", "--csv"]).notes).toEqual([
      "`--csv` is now `--format csv`; the old name still works",
    ]);
    expect(inNewWords(["run", "s"]).notes).toEqual([]);
    expect(inNewWords([]).words).toEqual([]);
  });
});
