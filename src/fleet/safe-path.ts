import { join } from "node:path";
import { Refusal } from "./envelope.ts";

/** A path below a folder; one that would leave it is refused, whoever signed it. */
export function safePath(dir: string, path: unknown): string {
  const isSafe =
    typeof path === "string" &&
    path !== "" &&
    !path.startsWith("/") &&
    !path.includes("\0") &&
    !path.split("/").some((part) => part === ".." || part === "." || part === "");
  if (!isSafe) throw new Refusal("path", `the path ${JSON.stringify(path)} leaves its folder`);
  return join(dir, path);
}
