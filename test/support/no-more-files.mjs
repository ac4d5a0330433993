// Loaded before Assay: in its threads every new folder is refused, as where a process has too many files open.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

if (!isMainThread) {
  fs.mkdirSync = (path) => {
    throw Object.assign(new Error(`EMFILE: too many open files, mkdir '${path}'`), { code: "EMFILE" });
  };
  syncBuiltinESMExports();
}
