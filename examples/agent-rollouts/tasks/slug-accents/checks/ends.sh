#!/bin/sh
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { slug } from "./src/slug.js";
assert.equal(slug("  Hello, world! "), "hello-world");
assert.equal(slug("(brackets)"), "brackets");
assert.equal(slug("?!"), "");
JS
