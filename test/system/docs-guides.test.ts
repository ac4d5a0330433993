import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { root, testPages } from "../support/doc-pages.ts";

describe("the commands of the guides", () => {
  const pages = readdirSync(join(root, "docs"), { recursive: true }).map((name) => `docs/${name}`);
  testPages(pages.sort());
});
