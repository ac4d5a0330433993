import { createHash, timingSafeEqual } from "node:crypto";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);

/** Nothing but the page's own files runs, nothing leaves, and nobody may frame it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};

/** A proxy in front of the page, which has asked people who they are. */
export interface FrontProxy {
  /** The header in which it says so. It takes the one that a browser sends out. */
  header: string;
  /** Where people find the page; its path stands before all of the page's own. */
  url: URL;
  /** What the proxy also sends, in X-Assay-Proxy-Secret, so that nobody else on this machine can pass for it. */
  secret?: string | undefined;
}

/** Who asks, as the proxy says; undefined where the request did not come through it. */
export function userOf({ headers }: Request, { header, secret }: FrontProxy): string | undefined {
  const hasSecret =
    secret === undefined || isSameSecret(headers.get("x-assay-proxy-secret") ?? undefined, secret);
  return (hasSecret && headers.get(header)?.trim()) || undefined;
}

/** The path as the page knows it: a proxy may take its own part away or leave it there. */
export function pathBelow(base: string, path: string): string {
  if (base === "" || (path !== base && !path.startsWith(`${base}/`))) return path;
  return path.slice(base.length) || "/";
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

/** Why a request comes from elsewhere; undefined where it is the page's own, or a person's. */
export function foreignness(request: Request, proxy?: FrontProxy): string | undefined {
  const host = request.headers.get("host") ?? "";
  // The port is not looked at: it may be forwarded. A name that an attacker made point here is refused by its name.
  if (!isLoopback(host.replace(/:\d+$/, "")) && host !== proxy?.url.host)
    return `the Host "${host}" is not this machine`;
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== `http://${host}` && origin !== proxy?.url.origin)
    return `the Origin "${origin}" is another page`;
  const site = request.headers.get("sec-fetch-site");
  const isVisit = request.headers.get("sec-fetch-mode") === "navigate" && request.method === "GET";
  if ((site === "cross-site" || site === "same-site") && !isVisit) return "another page asked for it";
  return undefined;
}

/** Why a request to change something is refused that the page itself has not sent: reading takes less. */
export function notFromPage({ headers }: Request): string | undefined {
  const isScript = headers.has("authorization");
  if (headers.get("x-assay") === "1" && (headers.has("origin") || isScript)) return undefined;
  return "Refused: this must come from the page itself (Origin, X-Assay: 1).\n";
}

/** Takes equally long whatever is wrong. */
export function isSameSecret(given: string | undefined, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(secret));
}
