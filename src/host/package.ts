import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };

/** This package's package.json, from the build and from the sources. */
export function packageFile(): string {
  const up = import.meta.url.endsWith(".ts") ? "../../package.json" : "../package.json";
  return fileURLToPath(new URL(up, import.meta.url));
}

export function packageDir(): string {
  return dirname(packageFile());
}

/** The schema of study files as an editor finds it: from here where it lies below this folder. */
export function schemaPath(): string {
  const path = `${packageDir()}/dist/study.schema.json`;
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") ? path : `./${fromHere}`;
}

export const PROGRAM_VERSION: string = packageJson.version;
