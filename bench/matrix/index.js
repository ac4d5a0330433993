// The default matrix of the scheduler sweep (96 runs with all their files), from a cold start, two at a time.
import { join } from "node:path";
import { assay, median, root, scratch, seconds } from "../support/measure.js";

const MOST_SECONDS = 15;

export default async function measure() {
  const dir = scratch("matrix");
  const study = join(root, "examples/matrix-sweep/default.json");
  const times = [1, 2, 3].map((repeat) =>
    seconds(process.execPath, [
      assay,
      "run",
      study,
      "--jobs",
      "2",
      "-q",
      "--out-root",
      join(dir, String(repeat)),
    ]),
  );
  const ours = median(times);
  return [
    {
      name: "96 runs of the default matrix",
      ours: `${ours.toPrecision(3)} s`,
      rival: `target ${MOST_SECONDS} s`,
      ratio: (ours / MOST_SECONDS).toFixed(2),
      target: "<= 1",
      ok: ours <= MOST_SECONDS,
      note: "the original takes twelve minutes",
    },
  ];
}
