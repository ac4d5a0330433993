import { describe, expect, test } from "vitest";
import { parseCallgrind, parsePerf } from "../../src/instruments/instructions.ts";

describe("counts of instructions", () => {
  test("are read from what perf stat -x, writes, and what is not supported is none", () => {
    const text =
      "# started on Tue\n\n1234567,,instructions:u,1000,100.00,,\n<not supported>,,cache-misses:u,0,100.00,,\n";
    expect(parsePerf(text)).toEqual({ "instructions:u": 1234567 });
  });

  test("are read from callgrind's totals, with the misses that reach memory", () => {
    const text =
      "version: 1\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\nfn=(1)\n1 5\n\ntotals: 1000 10 10 5 5 5 3 2 1\n";
    expect(parseCallgrind(text)).toEqual({ instructions: 1000, lastLevelMisses: 6 });
    expect(parseCallgrind("")).toEqual({ instructions: 0, lastLevelMisses: 0 });
  });
});
