import { fileURLToPath } from "node:url";

/** This package's package.json, from the build and from the sources. */
export function packageFile(): string {
  const up = import.meta.url.endsWith(".ts") ? "../../package.json" : "../package.json";
  return fileURLToPath(new URL(up, import.meta.url));
}
