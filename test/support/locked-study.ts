import { appendFileSync, existsSync, rmSync } from "node:fs";
import { StudyFollower } from "../../src/analysis/decide/follow-study.ts";
import { lockStudy } from "../../src/api/lock-study.ts";
import type { Run, RunRecord } from "../../src/core/run.ts";
import { History, selectPending } from "../../src/engine/pending.ts";
import { DecidedRuns } from "../../src/launch/decide-runs.ts";
import { makeFolder, moveAside, writeStudyFile } from "../../src/launch/launch-folder.ts";
import { loadStudy, type Overrides } from "../../src/launch/load-study.ts";
import { prepareStudy } from "../../src/launch/prepare-study.ts";
import { aRecord } from "./a-study.ts";
import { TempFolder } from "./temp-folder.ts";

interface Launching extends Overrides {
  rerun?: string;
  fresh?: boolean;
}

/** A study file whose runs are drawn, not executed: everything else (lock, launch, journal, folder) is the real thing. */
export class LockedStudy implements Disposable {
  readonly folder = new TempFolder();
  readonly file: string;
  readonly dir: string;
  private clockMs = Date.now();

  constructor(
    private text: string,
    private readonly measure: (run: Run, attempt: number) => Partial<RunRecord>,
  ) {
    this.file = this.folder.write("study.yaml", text);
    this.dir = `${this.folder.path}/out/aa`;
  }

  edit(from: string, to: string): void {
    this.text = this.text.replace(from, to);
    this.folder.write("study.yaml", this.text);
  }

  lock(overrides: Overrides = {}) {
    return lockStudy(this.file, { ...overrides, outRoot: `${this.folder.path}/out`, git: false });
  }

  /** What `assay run` does, but for executing. */
  async run({ rerun = "failed", fresh = false, ...overrides }: Launching = {}): Promise<void> {
    const prepared = await prepareStudy(
      loadStudy(this.file, { ...overrides, outRoot: `${this.folder.path}/out` }),
    );
    const { studyDir, plan, program, study } = prepared;
    if (fresh && existsSync(studyDir)) await moveAside(studyDir);
    makeFolder(studyDir);
    const path = `${studyDir}/journal.jsonl`;
    const history = new History(path, plan.axisNames);
    const decided = study.analysis.decide
      ? new DecidedRuns(prepared, history, (own, runs, infos) => new StudyFollower(own, runs, infos))
      : undefined;
    writeStudyFile(prepared, plan.count(), { done: history.size });
    const isMeant = prepared.isMeant;
    const selection = { plan, history, studyDir, program, rerun, artifacts: study.artifacts };
    const pending = decided?.pending(1) ?? selectPending({ ...selection, ...(isMeant && { isMeant }) });
    let lines = "";
    for (const next of pending) {
      if (next === "later") throw new Error("nothing is under way");
      const attempt = next.attemptsBefore + 1;
      const record = aRecord({
        ...next.run,
        ...{ program, attempt, startedAtMs: this.clockMs++ },
        ...this.measure(next.run, attempt),
      });
      lines += `${JSON.stringify(record)}\n`;
      decided?.handle({ kind: "ended", record } as Parameters<DecidedRuns["handle"]>[0]);
    }
    appendFileSync(path, lines);
    history.close();
  }

  remove(name: string): void {
    rmSync(`${this.dir}/${name}`, { force: true });
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }
}
