import { fileURLToPath } from "node:url";

/**
 * The built file that another thread or process starts with. All of the build lies in one folder; when the
 * sources themselves are running (in tests), the build beside them is used.
 */
export function entryPath(name: string): string {
  const isSource = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isSource ? `../../dist/${name}.js` : `./${name}.js`, import.meta.url));
}
