import { definePolicy } from "assay/plugin";

/**
 * A policy of one's own in one file: only the steps that hold up everything else, Plan and DecideNext, take
 * the dearest tier. Try it: `assay run examples/matrix-sweep/native.yaml --exp-name mine -p policy=./patient.ts`.
 */
export default definePolicy({
  name: "patient",
  description: "First ready, first served; only Plan and DecideNext take the dearest tier.",
  priority: (call) => -call.readyS,
  route: (call, options) => (call.type === "Plan" || call.type === "DecideNext" ? options.length - 1 : 0),
});
