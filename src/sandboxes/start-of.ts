import { closeSync, openSync, readSync } from "node:fs";

/** The first lines of a file, for a message. */
export function startOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(500);
    return (
      bytes.toString("utf8", 0, readSync(file, bytes)).trim().replaceAll("\n", "; ") || "it printed nothing"
    );
  } finally {
    closeSync(file);
  }
}
