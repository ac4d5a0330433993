import { Argument, Option } from "commander";

export const STUDY_TEXT = "a study's folder, or its name below --out-root";

export const study = () => new Argument("<study>", STUDY_TEXT);
export const json = () => new Option("--json", "machine-readable output");
export const outRoot = () => new Option("--out-root <folder>", "where studies are kept");
