import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinNames, parseRoute, type Route, routeHash, splitNames } from "../../viewer/route.ts";

const LIVE = { isLive: true };
const FILE = { isLive: false };

describe("addresses", () => {
  test("an empty address is the list of studies when live, and the study in a file", () => {
    expect(parseRoute("", LIVE).page).toBe("list");
    expect(parseRoute("#/", LIVE).page).toBe("list");
    expect(parseRoute("", FILE)).toEqual({ page: "study", study: "", run: "", query: {} });
  });

  test("a file's addresses leave the study out", () => {
    const route: Route = { page: "run", study: "", run: "a b/c", query: {} };
    expect(routeHash(route, FILE)).toBe("#/run/a%20b%2Fc");
    expect(parseRoute("#/run/a%20b%2Fc", FILE)).toEqual(route);
  });

  test("a study in a folder below is one part of the address", () => {
    const route: Route = { page: "study", study: "old/smoke", run: "", query: { tab: "runs" } };
    expect(routeHash(route, LIVE)).toBe("#/study/old%2Fsmoke?tab=runs");
  });

  test("every view and its state come back from its address", () => {
    const text = fc.string({ unit: "grapheme" });
    const query = fc.dictionary(text, fc.string({ minLength: 1 }), { noNullPrototype: true });
    const pages = fc.constantFrom<Route["page"]>(
      ...(["list", "study", "run", "compare", "compare-runs", "fleet"] as const),
    );
    fc.assert(
      fc.property(pages, text, fc.string({ minLength: 1 }), query, (page, study, run, state) => {
        const hasStudy = page === "study" || page === "run" || page === "compare-runs";
        const route = { page, study: hasStudy ? study : "", run: page === "run" ? run : "", query: state };
        expect(parseRoute(routeHash(route, LIVE), LIVE)).toEqual(route);
      }),
    );
  });

  test("values that are empty do not lengthen the address", () => {
    expect(routeHash({ page: "study", study: "", run: "", query: { filter: "", tab: "runs" } }, FILE)).toBe(
      "#/?tab=runs",
    );
  });

  test("a broken escape is taken as text", () => {
    expect(parseRoute("#/run/50%", FILE).run).toBe("50%");
  });

  test("lists of names survive commas and backslashes", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), (names) => {
        expect(splitNames(joinNames(names))).toEqual(names);
      }),
    );
    expect(splitNames(undefined)).toEqual([]);
  });
});
