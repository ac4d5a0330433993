import { parentPort, workerData } from "node:worker_threads";
import { learn, readShare, type ThreadShare } from "./collect-folders.ts";

/** A thread's share of the folders to collect. */
const { studyDir, ids, sample } = workerData as ThreadShare;
parentPort!.postMessage(readShare(studyDir, ids, learn(studyDir, sample)));
