import { openFamily } from "../../core/family.ts";
import { auto } from "./auto.ts";
import { cmaes } from "./cmaes/cmaes.ts";
import { gp } from "./gp/gp.ts";
import { grid } from "./grid.ts";
import { random } from "./random.ts";
import type { Searcher } from "./searcher.ts";
import { sobol } from "./sobol/sobol.ts";
import { tpe } from "./tpe/tpe.ts";

export const searchers: Readonly<Record<string, Searcher>> = openFamily<Searcher>("searcher", {
  ...{ grid, random, sobol, tpe, gp, cmaes, auto },
});
