import { statSync } from "node:fs";
import { JournalFollower } from "../archive/follow-journal.ts";
import { isCurrent, readStudyFile } from "../archive/read-records.ts";
import { hashOf, type RunRecord } from "../core/run.ts";
import { STUDY_FILES, type StudyFile } from "../core/study-folder.ts";
import { asRead, type ReadStudy, readStudy } from "../read/view-study.ts";

/** Journals above this size are read anew each time: keeping their records would cost a gigabyte. */
const MOST_BYTES = 100 << 20;
const MOST_STUDIES = 3;

interface Known {
  journal: JournalFollower;
  study: StudyFile;
  isOfNow: (record: RunRecord) => boolean;
  /** The newest record of each run, in the order in which the runs first ended; null where it is not of the study now. */
  latest: Map<string, RunRecord | null>;
}

/** Studies as read for the views, kept between two of them: a journal that has grown is read on, not anew. */
export class KnownStudies {
  /** Least recently used first. */
  readonly #known = new Map<string, Known>();

  async read(studyDir: string): Promise<ReadStudy> {
    const study = readStudyFile(studyDir);
    const size = statSync(`${studyDir}/${STUDY_FILES.journal}`, { throwIfNoEntry: false })?.size ?? 0;
    if (!study || size > MOST_BYTES) return readStudy(studyDir);
    const known = this.#knownOf(studyDir, study);
    this.#readOn(known);
    const records: RunRecord[] = [];
    for (const record of known.latest.values()) if (record) records.push(record);
    return asRead(studyDir, study, records);
  }

  #knownOf(studyDir: string, study: StudyFile): Known {
    const before = this.#known.get(studyDir);
    this.#known.delete(studyDir);
    const isSame = before && planOf(before.study) === planOf(study) && planOf(study) !== undefined;
    const known = isSame
      ? before
      : { journal: new JournalFollower(studyDir), study, isOfNow: isCurrent(study), latest: new Map() };
    this.#known.set(studyDir, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_STUDIES) break;
      this.#known.delete(oldest);
    }
    return known;
  }

  #readOn({ journal, latest, isOfNow }: Known): void {
    for (let hasMore = true; hasMore; ) {
      const growth = journal.read();
      if (growth.isReset) latest.clear();
      for (const record of growth.records) latest.set(hashOf(record.id), isOfNow(record) ? record : null);
      hasMore = growth.hasMore;
    }
  }
}

function planOf({ launches }: StudyFile): string | undefined {
  return launches.at(-1)?.plan;
}
