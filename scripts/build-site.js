// Builds the website from README, docs/ and the examples' pages: `npm run site` writes site/, which opens from disk.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Marked } from "marked";
import MiniSearch from "minisearch";
import { searchOptions } from "./site/search-options.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const out = process.argv[2] ?? join(root, "site");
const repository = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).repository?.url;

const pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"]
  .concat(filesBelow("docs"), filesBelow("examples"))
  .filter((path) => path.endsWith(".md") && existsSync(join(root, path)));

function filesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, path));
}

/** docs/README.md is the index of the documentation: its headings and links make the sidebar. */
function readSidebar() {
  const groups = [];
  for (const line of readFileSync(join(root, "docs/README.md"), "utf8").split("\n")) {
    const heading = /^## (.*)/.exec(line);
    if (heading) groups.push({ title: heading[1], links: [] });
    if (!line.startsWith("- ")) continue;
    for (const [, text, path] of line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g))
      groups.at(-1)?.links.push({ text, page: normalize(join("docs", path)) });
  }
  return groups;
}

const htmlPath = (page) => page.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
const hrefTo = (target, page) => relative(dirname(page), htmlPath(target)) || "index.html";

/** As GitHub makes them, so that links to headings hold in both places. */
function slug(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** A link of the page as the site has it; null where it leads to a file of the repository that is no page. */
function siteLink(href, page) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path, heading] = href.split("#");
  let target = normalize(join(dirname(page), path)).replace(/\/$/, "");
  if (pages.includes(join(target, "README.md"))) target = join(target, "README.md");
  if (pages.includes(target)) return hrefTo(target, page) + (heading ? `#${heading}` : "");
  if (target.startsWith("docs/pictures/")) return relative(dirname(page), target);
  return repository ? `${repository.replace(/^git\+|\.git$/g, "")}/blob/main/${target}` : null;
}

function render(page) {
  const sections = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const title = plain(this.parser.parseInline(tokens));
        const name = slug(text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, ""));
        // A heading that comes again is numbered, as GitHub does it.
        const times = sections.filter((section) => section.name === name).length;
        const id = times === 0 ? name : `${name}-${times}`;
        sections.push({ title, name, id, depth, text: "" });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}<a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const link = siteLink(href, page);
        return link === null ? text : `<a href="${link}">${text}</a>`;
      },
      image({ href, text }) {
        return `<img src="${siteLink(href, page)}" alt="${text}">`;
      },
      table(token) {
        const row = (cells, tag) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="scrolls" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  // What may scroll can be reached by keyboard.
  const html = marked.parse(readFileSync(join(root, page), "utf8")).replaceAll("<pre>", '<pre tabindex="0">');
  html.split(/(?=<h[1-6] id=)/).forEach((part, i) => {
    const section = sections[i - (/^<h\d/.test(html) ? 0 : 1)];
    if (section) section.text = plain(part.replace(/<h\d.*?<\/h\d>/s, ""));
  });
  return { page, html, sections, title: sections[0]?.title ?? page };
}

function plain(html) {
  const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'" };
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (entity) => entities[entity])
    .replaceAll(/\s+/g, " ")
    .trim();
}

function pageHtml({ page, html, sections, title }, groups) {
  const top = relative(dirname(page), ".") || ".";
  const link = ({ text, page: target }) =>
    `<li><a href="${hrefTo(target, page)}"${target === page ? ' aria-current="page"' : ""}>${text}</a></li>`;
  const nav = groups
    .map((group) => `<h2>${group.title}</h2><ul>${group.links.map(link).join("")}</ul>`)
    .join("\n");
  const parts = sections.filter(({ depth }) => depth === 2);
  const contents = parts.map((part) => `<li><a href="#${part.id}">${part.title}</a></li>`).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === "Assay" ? "Assay" : `${title} · Assay`}</title>
<link rel="stylesheet" href="${top}/site.css">
<script defer src="${top}/search-index.js"></script>
<script defer src="${top}/search.js" data-top="${top}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="${top}/index.html">Assay</a>
<a href="${top}/docs/index.html">Docs</a>
<search><input id="search" type="search" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off"><ol id="found" hidden></ol></search>
</header>
<div class="columns">
<nav aria-label="Documentation">${nav}</nav>
<main id="content">${html}</main>
${parts.length > 2 ? `<aside><h2>On this page</h2><ul>${contents}</ul></aside>` : ""}
</div>
</body>
</html>
`;
}

const groups = readSidebar();
const rendered = pages.map(render);
const search = new MiniSearch(searchOptions);
search.addAll(
  rendered.flatMap(({ page, title, sections }) =>
    sections.map((section, i) => ({
      id: `${htmlPath(page)}${i === 0 ? "" : `#${section.id}`}`,
      page: title,
      title: section.title,
      text: section.text,
    })),
  ),
);

rmSync(out, { recursive: true, force: true });
for (const one of rendered) {
  const path = join(out, htmlPath(one.page));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, pageHtml(one, groups));
}
cpSync(join(root, "docs/pictures"), join(out, "docs/pictures"), { recursive: true });
cpSync(join(root, "scripts/site/site.css"), join(out, "site.css"));
writeFileSync(join(out, "search-index.js"), `searchIndex = ${JSON.stringify(JSON.stringify(search))};\n`);
await build({
  entryPoints: [join(root, "scripts/site/search.js")],
  outfile: join(out, "search.js"),
  bundle: true,
  minify: true,
  target: "es2022",
});
console.log(`${pages.length} pages. Open: ${join(relative(process.cwd(), out), "index.html")}`);
