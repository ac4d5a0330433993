#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { slug } from "./src/slug.js";
assert.equal(slug("Große Straße"), "grosse-strasse");
JS
