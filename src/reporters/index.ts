import { openFamily } from "../core/family.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import type { Reporter } from "./reporter.ts";

export const reporters: Readonly<Record<string, Reporter>> = openFamily<Reporter>("reporter", {
  ...{ html, markdown, json, junit },
});
