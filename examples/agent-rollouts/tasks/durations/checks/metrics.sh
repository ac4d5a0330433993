#!/bin/sh
node --input-type=module - <<'JS'
import { readFileSync } from "node:fs";
const lines = readFileSync("src/duration.js", "utf8").trimEnd().split("\n");
console.log(JSON.stringify({ source_lines: lines.length, longest_line: Math.max(...lines.map((line) => line.length)) }));
JS
