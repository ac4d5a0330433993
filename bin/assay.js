#!/usr/bin/env node
import module from "node:module";

// Node 22 and later keep compiled code between starts; Node 20 has no such cache.
module.enableCompileCache?.();
const { main } = await import("../dist/cli.js");
await main(process.argv);
