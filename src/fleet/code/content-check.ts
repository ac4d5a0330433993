import { errorText } from "../../core/errors.ts";
import { canonicalJson } from "../../core/hash.ts";
import type { Run } from "../../core/run.ts";
import type { TargetRef } from "../../core/study.ts";
import { checkParams } from "../../targets/check-params.ts";
import { loadTarget } from "../../targets/load-target.ts";
import type { Target } from "../../targets/target.ts";
import { Lack } from "./unpack-code.ts";

/** What a run finds beside its study and does not bring along, such as a task's folder: a name, and the state of it. */
export type Contents = Record<string, string>;

/** Tells what runs of a shipped target need to find, and whether it is here as it was where the study was made. */
export class ContentCheck {
  readonly #target: Target;
  readonly #baseDir: string;
  /** Many runs are about the same content, which is read once. */
  readonly #known = new Map<string, Contents>();

  private constructor(target: Target, baseDir: string) {
    this.#target = target;
    this.#baseDir = baseDir;
  }

  /** Undefined where runs need nothing but what travels. */
  static async create(ref: TargetRef, baseDir: string): Promise<ContentCheck | undefined> {
    if (ref.kind !== "shipped") return undefined;
    const target = await loadTarget(ref);
    return target.taskVersion || target.valueVersion ? new ContentCheck(target, baseDir) : undefined;
  }

  contentsOf(run: Run): Contents {
    const key = canonicalJson([run.task, run.params]);
    const known = this.#known.get(key);
    if (known) return known;
    const contents = this.#read(run);
    this.#known.set(key, contents);
    return contents;
  }

  /** Throws a lack that names the first thing that is not here, or not in the same state. */
  check(run: Run, expected: Contents): void {
    if (Object.keys(expected).length === 0) return;
    let found: Contents;
    try {
      found = this.contentsOf(run);
    } catch (error) {
      throw this.#lack(errorText(error));
    }
    const other = Object.keys(expected).find((name) => found[name] !== expected[name]);
    if (other === undefined) return;
    // It may be put right meanwhile.
    this.#known.clear();
    throw this.#lack(`${other} is ${found[other] === undefined ? "not here" : "another one here"}.`);
  }

  #read({ task, params }: Run): Contents {
    const contents: Contents = {};
    const { taskVersion, valueVersion } = this.#target;
    const ofTask =
      task === null
        ? undefined
        : taskVersion?.(task, checkParams(this.#target, params) as never, this.#baseDir);
    if (ofTask !== undefined) contents[`the task ${task}`] = ofTask;
    for (const [param, value] of Object.entries(params)) {
      const version = valueVersion?.(param, value, this.#baseDir);
      if (version !== undefined) contents[`what the parameter ${param} names`] = version;
    }
    return contents;
  }

  #lack(what: string): Lack {
    return new Lack(
      `${what} It does not travel: share the study's folder with this machine, at the same path (looked from ${this.#baseDir})`,
    );
  }
}
