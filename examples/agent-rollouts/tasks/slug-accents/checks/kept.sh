#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { slug } from "./src/slug.js";
assert.equal(slug("Ten Rules for 2024"), "ten-rules-for-2024");
assert.equal(slug("a -- b"), "a-b");
assert.equal(slug("plain"), "plain");
JS
