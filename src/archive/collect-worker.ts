import { parentPort, workerData } from "node:worker_threads";
import { readBlocks, type Work } from "./collect-folders.ts";

/** A thread that helps to read run folders. */
parentPort!.postMessage(readBlocks(workerData as Work));
