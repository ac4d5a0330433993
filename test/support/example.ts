import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fixture, type Project } from "./fixture.ts";

/** A project with the files of one of the shipped examples. */
export async function example(name: string): Promise<Project> {
  const project = await fixture("program");
  cpSync(fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)), project.dir, { recursive: true });
  return project;
}

export function hasPython(): boolean {
  try {
    execFileSync("python3", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
