import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const assay = join(root, "bin/assay.js");
const peersDir = join(root, "../shared/peers");

/** The path of a rival's script, or undefined where ../shared is absent. */
export function peer(path) {
  const full = join(peersDir, path);
  return existsSync(full) ? full : undefined;
}

export function has(tool) {
  return spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;
}

export function pythonHas(module) {
  return spawnSync("/usr/bin/python3", ["-c", `import ${module}`]).status === 0;
}

/** A folder of its own for each repeat: ext4 is slow where a large tree was deleted just before. */
export function scratch(name) {
  const dir = mkdtempSync(join(tmpdir(), `assay-bench-${name}-`));
  mkdirSync(dir, { recursive: true });
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function compile(source, output, flags = ["-O2"]) {
  execFileSync(source.endsWith(".cpp") ? "c++" : "cc", [...flags, "-o", output, source, "-lm"]);
  return output;
}

/** Seconds that a command takes, cold start included; throws when it fails. */
export function seconds(command, words, options = {}) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(command, words, {
    stdio: ["ignore", "ignore", "pipe"],
    maxBuffer: 1 << 28,
    ...options,
  });
  const elapsed = Number(process.hrtime.bigint() - start) / 1e9;
  if (status !== 0) throw new Error(`${command} ${words.join(" ")} ended with ${status}: ${stderr}`);
  return elapsed;
}

/** Peak memory of a command in megabytes, as the kernel counts it. */
export function peakMegabytes(command, words, options = {}) {
  return usageOf("r.ru_maxrss", [command, ...words], options) / 1000;
}

/** Time of the processor that a command and its children take, in user and kernel mode. */
export function cpuSeconds(command, words, options = {}) {
  return usageOf("r.ru_utime + r.ru_stime", [command, ...words], options);
}

function usageOf(expression, argv, options) {
  const script = `import resource,subprocess,sys
code=subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL).returncode
r=resource.getrusage(resource.RUSAGE_CHILDREN)
print(${expression})
sys.exit(code)`;
  return Number(execFileSync("python3", ["-c", script, ...argv], { encoding: "utf8", ...options }));
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Measures several things in turn, so that drift of the machine hits all alike. Gives medians. */
export function inTurn(repeats, contestants) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [name, measure] of Object.entries(contestants)) times[name].push(measure(repeat));
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

/** A row in which ours over theirs must be at most `most`. */
export function row(name, ours, theirs, { rival, most, unit = "s" }) {
  const ratio = ours / theirs;
  return {
    name,
    ours: `${ours.toPrecision(3)} ${unit}`,
    rival: `${rival} ${theirs.toPrecision(3)} ${unit}`,
    ratio: ratio.toFixed(2),
    target: `<= ${most}`,
    ok: ratio <= most,
  };
}

export function missing(name, what) {
  return { name, ours: "-", rival: "-", ratio: "-", target: "-", ok: null, note: `skipped: ${what}` };
}
