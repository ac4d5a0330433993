import { spawn } from "node:child_process";

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens an address in the user's browser; where there is none, the printed link is what remains. */
export function openInBrowser(url: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program!, [...words, url], { stdio: "ignore", detached: true });
  child.on("error", () => process.stderr.write("no browser could be started; open the link by hand\n"));
  child.unref();
}
