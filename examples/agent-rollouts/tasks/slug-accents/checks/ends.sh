#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { slug } from "./src/slug.js";
report(["  Hello, world! ", "(brackets)", "?!"].map((title) => slug(title)));
JS
