import * as z from "zod";
import { goOn, lossesOf, type Stopper, shown } from "../../../src/search/stoppers/stopper.ts";

/** Ends a run whose last value is hopeless. */
export const ceiling: Stopper<{ loss: number }> = {
  name: "ceiling",
  description: "ends a run whose last loss is above a ceiling",
  options: z.strictObject({ loss: z.number() }),
  judge({ run, goal }, { loss }) {
    const last = lossesOf(run, goal).at(-1);
    if (last === undefined || last <= loss) return goOn("below the ceiling");
    return { stop: true, why: `${shown(last, goal)} is beyond ${shown(loss, goal)}` };
  },
};
