/** Where the reader is. The address holds all of it, so that every view and every state of a table is a link. */
export interface Route {
  page: "list" | "study" | "run" | "compare" | "compare-runs" | "fleet";
  /** The study's folder; "" in a static report, whose addresses leave it out. */
  study: string;
  run: string;
  /** Tab, sorting, filter, columns: what a page adds. Empty values are left out. */
  query: Record<string, string>;
}

interface Life {
  isLive: boolean;
}

export function parseRoute(hash: string, { isLive }: Life): Route {
  const [path = "", search = ""] = splitOnce(hash.replace(/^#?\/?/, ""), "?");
  const query = Object.fromEntries(new URLSearchParams(search));
  const words = path.split("/").map(decoded);
  const route = { study: "", run: "", query };
  if (words[0] === "compare") return { ...route, page: "compare" };
  if (words[0] === "fleet" && isLive) return { ...route, page: "fleet" };
  let rest = words;
  if (words[0] === "study") {
    route.study = words[1] ?? "";
    rest = words.slice(2);
  } else if (isLive) return { ...route, page: "list" };
  if (rest[0] === "run" && rest[1]) return { ...route, page: "run", run: rest[1] };
  if (rest[0] === "compare-runs") return { ...route, page: "compare-runs" };
  return { ...route, page: "study" };
}

export function routeHash({ page, study, run, query }: Route, { isLive }: Life): string {
  const place = isLive ? ["study", encodeURIComponent(study)] : [];
  const words = {
    list: [],
    compare: ["compare"],
    fleet: ["fleet"],
    study: place,
    run: [...place, "run", encodeURIComponent(run)],
    "compare-runs": [...place, "compare-runs"],
  }[page];
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `#/${words.join("/")}${search === "" ? "" : `?${search}`}`;
}

/** Several names in one value of the address. */
export function joinNames(names: readonly string[]): string {
  return names.map((name) => name.replaceAll("\\", "\\\\").replaceAll(",", "\\,")).join(",");
}

export function splitNames(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return (text.match(/(?:[^,\\]|\\.)+/gs) ?? []).map((name) => name.replaceAll(/\\(.)/gs, "$1"));
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** A broken escape in a link that somebody cut is text, not an error. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
