import type { Findings } from "../analysis/findings.ts";

export interface OutputFile {
  /** Below the report's folder. */
  path: string;
  content: string;
}

/** Turns findings into files. Pure: it reads nothing but the findings. */
export interface Reporter {
  name: string;
  description: string;
  render(findings: Findings): OutputFile[];
}
