#!/bin/sh
node --input-type=module - <<'JS'
import { report } from "./.assay/proof.mjs";
import { slug } from "./src/slug.js";
report(["Crème Brûlée", "El Niño en Ávila", "cafe\u0301 noir"].map((title) => slug(title)));
JS
