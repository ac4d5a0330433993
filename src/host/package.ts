import { dirname } from "node:path";
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

export const PROGRAM_VERSION: string = packageJson.version;
