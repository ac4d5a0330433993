import { parentPort, workerData } from "node:worker_threads";
import { readInOwnThread, type Work } from "./collect-folders.ts";

/** A thread that helps to read run folders. */
parentPort!.postMessage(readInOwnThread(workerData as Work));
