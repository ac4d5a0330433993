#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { slug } from "./src/slug.js";
report(["Ten Rules for 2024", "a -- b", "plain"].map((title) => slug(title)));
JS
