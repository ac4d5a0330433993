import { readViewer } from "../read/read-viewer.ts";

/** The page; what it shows comes by the API. */
export const INDEX = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="assay-mode" content="live">
<meta name="color-scheme" content="light dark">
<title>Assay</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/viewer.css">
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. \`assay status\` tells the same in a terminal.</noscript>
<script type="module" src="/viewer.js"></script>
</body>
</html>
`;

/** The page's program and its look, by their exact names. */
export function pageFile(name: string): { type: string; content: string } {
  const { script, style } = readViewer();
  return name === "viewer.js"
    ? { type: "text/javascript; charset=utf-8", content: script }
    : { type: "text/css; charset=utf-8", content: style };
}
