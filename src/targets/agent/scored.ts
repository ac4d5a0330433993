import type { Grade } from "./grade.ts";
import type { InstanceResult } from "./run-instance.ts";

/** One instance, done and graded. */
export interface Scored extends InstanceResult, Grade {}
