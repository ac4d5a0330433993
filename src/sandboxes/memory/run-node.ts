import assert from "node:assert";
import { createContext, Script } from "node:vm";
import { errorText } from "../../core/errors.ts";
import type { FileTree } from "../sandbox.ts";
import { type Command, resolvePath, type Shell, told } from "./small-commands.ts";

const BUILT_IN: Record<string, unknown> = { assert, "assert/strict": assert.strict };
const MOST_OUTPUT = 1 << 20;
/** Compiled once for each text, as long as there are not too many of them. */
const compiled = new Map<string, Script>();
const MOST_COMPILED = 5000;

class Exit {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** `node FILE` with modules of the old kind, from the files in memory, in a context of its own. */
export const runNode: Command = (args, shell) => {
  const [path] = args;
  if (path === undefined || path.startsWith("-"))
    return told(["node: only node FILE works in this sandbox"], 9);
  const lines: string[] = [];
  let size = 0;
  const print = (...values: unknown[]) => {
    const line = values.map(String).join(" ");
    size += line.length;
    if (size <= MOST_OUTPUT) lines.push(line);
  };
  const system = {
    exitCode: 0,
    argv: ["node", path],
    env: {},
    exit(code?: number) {
      throw new Exit(code ?? system.exitCode);
    },
  };
  const context = createContext({
    console: { log: print, error: print, warn: print, info: print },
    process: system,
  });
  const load = loader(shell, context);
  try {
    load(path, "");
    return told(lines, system.exitCode);
  } catch (error) {
    if (error instanceof Exit) return told(lines, error.code);
    if ((error as { code?: string }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      return { ...told(lines, 124), isTimeout: true };
    const name = (error as { name?: string } | null)?.name ?? "Error";
    const message = (error as { message?: string } | null)?.message ?? errorText(error);
    return told([...lines, `${name}: ${message}`], 1);
  }
};

/** Modules load each other; only the first call needs a time limit, since all others happen inside it. */
function loader(shell: Shell, context: object): (specifier: string, from: string) => unknown {
  const { files, timeoutMs } = shell;
  const loaded = new Map<string, { exports: unknown }>();
  const load = (specifier: string, from: string): unknown => {
    const builtIn = BUILT_IN[specifier.replace(/^node:/, "")];
    if (builtIn !== undefined) return builtIn;
    const path = findModule(specifier, from, files);
    if (path === undefined) throw new Error(`Cannot find module '${specifier}'`);
    const known = loaded.get(path);
    if (known) return known.exports;
    const module: { exports: unknown } = { exports: {} };
    loaded.set(path, module);
    if (path.endsWith(".json")) module.exports = JSON.parse(files.get(path)!);
    else {
      const body = compile(path, files.get(path)!).runInContext(context) as ModuleBody;
      const call = () => body(module, module.exports, (name) => load(name, path));
      if (from === "") {
        (context as { __call?: () => void }).__call = call;
        CALL.runInContext(context, { timeout: timeoutMs });
      } else call();
    }
    return module.exports;
  };
  return load;
}

type ModuleBody = (
  module: { exports: unknown },
  exports: unknown,
  require: (name: string) => unknown,
) => void;

/** Only scripts can be stopped when they take too long. */
const CALL = new Script("__call()");

function findModule(specifier: string, from: string, files: FileTree): string | undefined {
  const isRelative = from === "" || /^\.{1,2}\//.test(specifier);
  const folder = from.split("/").slice(0, -1).join("/");
  const base = isRelative ? resolvePath(folder === "" ? specifier : `${folder}/${specifier}`) : undefined;
  if (base === undefined) return undefined;
  return [base, `${base}.js`, `${base}.json`, `${base}/index.js`].find((name) => files.has(name));
}

function compile(path: string, text: string): Script {
  const key = `${path}\0${text}`;
  let script = compiled.get(key);
  if (!script) {
    if (compiled.size >= MOST_COMPILED) compiled.clear();
    script = new Script(`(function (module, exports, require) {${text.replace(/^#!.*/, "")}\n})`, {
      filename: path,
    });
    compiled.set(key, script);
  }
  return script;
}
