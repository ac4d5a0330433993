import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { createProgram } from "../../src/cli/program.ts";

const root = fileURLToPath(new URL("../../examples/fleet/", import.meta.url));
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const read = (name: string) => readFileSync(join(root, name), "utf8");
const hasAnalyze = spawnSync("systemd-analyze", ["--version"]).status === 0;

describe("the files for fleets", () => {
  test("in YAML can be read", () => {
    const yaml = files.filter((path) => path.endsWith(".yaml"));
    expect(yaml.length).toBeGreaterThanOrEqual(3);
    for (const path of yaml)
      for (const { errors, warnings } of parseAllDocuments(readFileSync(path, "utf8")))
        expect([path, ...errors, ...warnings]).toEqual([path]);
  });

  test("for Kubernetes select the pods that they make", () => {
    const [document] = parseAllDocuments(read("kubernetes/worker.yaml"));
    const { kind, spec } = (document as { toJS(): Record<string, never> }).toJS() as never as {
      kind: string;
      spec: { selector: { matchLabels: object }; template: { metadata: { labels: object } } };
    };
    expect(kind).toBe("Deployment");
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
  });

  test.skipIf(!hasAnalyze)("for systemd have only keys that it knows", () => {
    const unit = join(root, "systemd/assay-worker@.service");
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
    expect(stderr.split("\n").filter((line) => line.includes("assay-worker"))).toEqual([]);
    expect(status, stderr).toBe(0);
  });

  test("for systemd have sections with keys and values", () => {
    const lines = read("systemd/assay-worker@.service")
      .split("\n")
      .filter((line) => line !== "");
    expect(lines.filter((line) => !/^(#|\[(Unit|Service|Install)\]$|[A-Z]\w+=)/.test(line))).toEqual([]);
  });

  test("for Slurm are a shell script whose first lines are for sbatch", () => {
    const script = join(root, "slurm/workers.sbatch");
    expect(spawnSync("sh", ["-n", script], { encoding: "utf8" }).stderr).toBe("");
    const [head] = read("slurm/workers.sbatch").split(/^(?!#)/m);
    expect(head).toMatch(/^#!\/bin\/sh\n/);
    expect(head!.match(/^#SBATCH --[a-z-]+=\S+$/gm)?.length).toBe(
      read("slurm/workers.sbatch").match(/#SBATCH/g)?.length,
    );
  });

  test("for containers have only instructions that there are", () => {
    const lines = read("container/Dockerfile")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines.filter((line) => !/^(FROM|RUN|COPY|USER|WORKDIR|ENTRYPOINT|CMD) /.test(line))).toEqual([]);
    for (const line of lines.filter((one) => /^(ENTRYPOINT|CMD)/.test(one)))
      expect(JSON.parse(line.slice(line.indexOf("[")))).toContain(
        line.startsWith("CMD") ? "--jobs" : "worker",
      );
  });

  test("call `assay worker` with options that it has", () => {
    const worker = createProgram().commands.find((command) => command.name() === "worker")!;
    const known = worker.options.map(({ long }) => long);
    const texts = files.map((path) => readFileSync(path, "utf8"));
    const calls = texts.flatMap((text) => text.match(/assay worker\b[^\n`]*|args: \[.*|CMD \[.*/g) ?? []);
    const used = calls.flatMap((call) => call.match(/--[a-z-]+/g) ?? []);
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((option) => !known.includes(option))).toEqual([]);
  });
});
