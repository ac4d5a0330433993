interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const ENDINGS: Record<string, string> = { counter: "_total", gauge: "", info: "_info" };

/** Reads OpenMetrics 1.0 and throws at whatever its grammar forbids, for the kinds that Assay writes. */
export function parseMetrics(text: string): Sample[] {
  if (!text.endsWith("\n# EOF\n")) throw new Error("the text must end in # EOF");
  const families = new Set<string>();
  const seen = new Set<string>();
  let family: { name: string; type: string } | undefined;
  const samples: Sample[] = [];
  for (const line of text.slice(0, -"# EOF\n".length).split("\n").slice(0, -1)) {
    const type = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (type) {
      const [, name = "", kind = ""] = type;
      if (!NAME.test(name) || !(kind in ENDINGS) || families.has(name)) throw new Error(line);
      families.add(name);
      family = { name, type: kind };
    } else if (/^# HELP /.test(line)) {
      if (line.split(" ")[2] !== family?.name) throw new Error(line);
    } else {
      const sample = readSample(line);
      if (sample.name !== `${family?.name}${ENDINGS[family?.type ?? ""]}`) throw new Error(line);
      if (family?.type === "counter" && !(sample.value >= 0)) throw new Error(line);
      const key = JSON.stringify([sample.name, sample.labels]);
      if (seen.has(key)) throw new Error(`twice: ${line}`);
      seen.add(key);
      samples.push(sample);
    }
  }
  return samples;
}

function readSample(line: string): Sample {
  const [, name, inner, value] =
    /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined || value === undefined || inner?.endsWith(",")) throw new Error(line);
  const labels: Record<string, string> = {};
  for (const [, label, text] of (inner ?? "").matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"/g))
    labels[label!] = text!.replaceAll(/\\([\\n"])/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
  const number = value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value);
  if (Number.isNaN(number)) throw new Error(line);
  return { name, labels, value: number };
}
