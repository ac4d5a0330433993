import type { Params } from "../core/params.ts";
import type { Target } from "./target.ts";

/** A configuration that could be recommended. */
export interface Candidate {
  /** Its arm in the study. */
  name: string;
  /** In words. */
  what: string;
  /** What a crash or a power cut costs. */
  risk: string;
}

/** What `assay recommend` measures on a user's machine, to say which configuration to use there. */
export interface Suite {
  /** For the help: what it answers, and how long that takes. */
  about: string;
  /** A study with one variant for each candidate, relative to the package's folder. */
  spec: string;
  /** The less of it, the better. */
  metric: string;
  /** The safest first: of those that can't be told from the fastest, the first is recommended. */
  candidates: readonly Candidate[];
  words: {
    /** Completes the advice: "Use: log ...". */
    use: string;
    /** Heads the column of means: "ms a simulation". */
    mean: string;
  };
}

/** The target that has a command of its own: `assay sim` does one run of it, with its parameters as options. */
export interface Simulator {
  target: string;
  /** Switches that take a part of it away: columns of every table of its runs. */
  flags: string[];
  /** Options that show how they are written. */
  example: string;
  /** For one run with a folder, which is made to be looked at: what writes a trace, say. */
  paramsToLookAt: Params;
  /** What `assay init` writes. */
  firstStudy(): Promise<string>;
}

/** What a package brings. It is declared at every start, so all that costs time loads when it is used. */
export interface TargetPackage {
  /** Where it lies, below Assay's own folder. */
  folder: string;
  /** By the names that studies use. */
  targets: Readonly<Record<string, () => Promise<Target>>>;
  /** By the names that `assay recommend` takes. */
  suites: Readonly<Record<string, Suite>>;
  simulator: Simulator;
}
