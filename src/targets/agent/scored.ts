import type { Grade } from "./grade.ts";
import type { RetriedResult } from "./retry-loop.ts";

/** One instance, done and graded. */
export interface Scored extends RetriedResult, Grade {}
