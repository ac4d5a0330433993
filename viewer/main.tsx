import { render } from "preact";
import { App } from "./app.tsx";
import { readEmbedded } from "./source/embedded-source.ts";
import { liveSource } from "./source/live-source.ts";
import type { Source } from "./source/source.ts";
import "./style/index.css";

/** Finds out which life the page has, and begins it. */
async function start(): Promise<void> {
  const root = document.getElementById("app") ?? document.body.appendChild(document.createElement("div"));
  try {
    render(<App source={await findSource()} />, root);
  } catch (problem) {
    root.textContent = `This page can't be shown: ${(problem as Error).message}`;
  }
}

async function findSource(): Promise<Source> {
  const mode = document.querySelector<HTMLMetaElement>('meta[name="assay-mode"]')?.content;
  if (mode === "live") return liveSource();
  const script = document.getElementById("assay-data");
  if (!script) throw new Error("it holds no data. Write it again with `assay report`.");
  return readEmbedded(script);
}

// The data stand before this code; waiting for the end of a large page would only show it later.
if (document.readyState === "loading" && !document.body) addEventListener("DOMContentLoaded", start);
else start();
