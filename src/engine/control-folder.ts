import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { type ControlRequest, isControlRequest } from "../core/control-request.ts";
import { STUDY_FILES } from "../core/study-folder.ts";
import { readJsonIfAny } from "../host/files.ts";
import type { Control } from "./steering.ts";

/** People press buttons: a fifth of a second is at once, and listing an empty folder costs microseconds. */
const LOOK_MS = 200;

/**
 * Takes requests out of `control/` in the study's folder, in the order of their names. It is there while a runner
 * listens, and only the holder of the study's lock makes one; what was asked before the launch is dropped.
 */
export class ControlFolder implements Control {
  readonly #dir: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(studyDir: string) {
    this.#dir = `${studyDir}/${STUDY_FILES.control}`;
    rmSync(this.#dir, { recursive: true, force: true });
    mkdirSync(this.#dir);
  }

  listen(onRequest: (request: ControlRequest) => void): void {
    this.#timer = setInterval(() => {
      for (const request of this.take()) onRequest(request);
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** What has been asked since the last look. A file that is no request is dropped too. */
  take(): ControlRequest[] {
    const requests: ControlRequest[] = [];
    for (const name of this.#names()) {
      const path = `${this.#dir}/${name}`;
      const request = readJsonIfAny(path, { isForeign: true });
      if (isControlRequest(request)) requests.push(request);
      rmSync(path, { recursive: true, force: true });
    }
    return requests;
  }

  close(): void {
    clearInterval(this.#timer);
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#dir)
        .filter((name) => name.endsWith(".json"))
        .sort();
    } catch {
      return []; // The folder was moved or deleted under us; the journal will say so.
    }
  }
}
