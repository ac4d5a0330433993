import { existsSync, readdirSync } from "node:fs";
import type { Project } from "./fixture.ts";
import type { Ended } from "./launch.ts";

/** The environment that makes Node load one of the files beside this one first. */
export function preload(name: string): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=${new URL(`./${name}.mjs`, import.meta.url).href}` };
}

export const canMeasureMemory = existsSync("/proc/self/status");

/** Runs one command and gives the most memory that it had, in megabytes; of its children nothing counts. */
export async function peakMegabytes(project: Project, ...words: string[]): Promise<number> {
  project.env = { ...preload("peak-memory"), PEAK_FILE: project.path("peak.txt") };
  const { code, stderr } = await project.assay(...words);
  if (code !== 0) throw new Error(stderr);
  return Number(project.read("peak.txt"));
}

/** Runs one command and gives the processor time that it took: a busy machine makes it wait, but hardly work more. */
export async function processorSeconds(
  project: Project,
  ...words: string[]
): Promise<Ended & { seconds: number }> {
  project.env = { ...preload("processor-time"), PROCESSOR_FILE: project.path("processor.txt") };
  const ended = await project.assay(...words);
  return { ...ended, seconds: Number(project.read("processor.txt")) };
}

/** Runs one command and gives how often a function of the built program was called, in whatever process or thread of it. */
export async function callsOf(name: string, project: Project, ...words: string[]): Promise<number> {
  const folder = `coverage/${words.join(" ").replaceAll("/", "_")}`;
  project.env = { NODE_V8_COVERAGE: project.path(folder) };
  const { code, stderr } = await project.assay(...words);
  project.env = {};
  if (code !== 0) throw new Error(stderr);
  // The bundler numbers functions of one name.
  const isIt = new RegExp(`^${name}\\d*$`);
  const scripts = readdirSync(project.path(folder)).flatMap(
    (file) => (JSON.parse(project.read(`${folder}/${file}`)) as Coverage).result,
  );
  return scripts
    .filter(({ url }) => url.includes("/dist/"))
    .flatMap(({ functions }) => functions.filter(({ functionName }) => isIt.test(functionName)))
    .reduce((sum, { ranges }) => sum + ranges[0]!.count, 0);
}

/** What Node writes for NODE_V8_COVERAGE. */
interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
}
