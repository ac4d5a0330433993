import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { root, testPages } from "../support/doc-pages.ts";

describe("the commands of the guides", () => {
  testPages(readdirSync(join(root, "docs")).map((name) => `docs/${name}`));
});
