/** What stands in the words of a program agent; a list within is left out where one of its words would be empty. */
export type WordTemplate = readonly (string | readonly string[])[];

/** What can be filled in for one rollout. */
export interface Words {
  /** What the agent is told. */
  prompt: string;
  /** A file with the same, outside of the repository. */
  prompt_file: string;
  repo: string;
  /** Empty where the study names none. */
  model: string;
  /** A folder for files about the work: agent_metrics.json, notes.md, a trajectory. */
  out_dir: string;
  seed: string;
  task_id: string;
  /** The address of the run's model gateway, without a path; empty where there is none. */
  gateway: string;
}

const NAMES = [
  "prompt",
  "prompt_file",
  "repo",
  "model",
  "out_dir",
  "seed",
  "task_id",
  "gateway",
] as const satisfies readonly (keyof Words)[];
export const PROMPT_WORDS: readonly string[] = NAMES.map((name) => `\${${name}}`);
/** What an agent is given for a key: the gateway puts the real one in its place. */
export const STAND_IN = "kept-by-assay";
/** The placeholder of the gateway, which may stand in environment variables, too. */
export const GATEWAY = "${gateway}";
/** Where a study's own words go in the command of a preset. */
export const ARGS = "${args}";
const PLACEHOLDER = /\$\{([^}]*)\}/g;

export function fillWords(template: WordTemplate, words: Words): string[] {
  return template.flatMap((part) => {
    if (typeof part === "string") return [fill(part, words)];
    const isWhole = part.every((word) => namesIn(word).every((name) => words[name as keyof Words] !== ""));
    return isWhole ? part.map((word) => fill(word, words)) : [];
  });
}

/** Whether a program asks for a gateway: only those that do get one. */
export function asksForGateway(template: WordTemplate, env: Record<string, string> = {}): boolean {
  return [...template.flat(), ...Object.values(env)].some((word) => word.includes(GATEWAY));
}

/** What should stand there instead of a placeholder that nothing can fill. */
export function checkWords(template: WordTemplate): string | undefined {
  for (const name of template.flat().flatMap(namesIn)) {
    if (!NAMES.some((known) => known === name))
      return `one of ${PROMPT_WORDS.join(" ")} where it says \${${name}}`;
  }
  return undefined;
}

function fill(word: string, words: Words): string {
  return word.replaceAll(PLACEHOLDER, (_, name: keyof Words) => words[name]).replaceAll("\0", "");
}

function namesIn(word: string): string[] {
  return [...word.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}
