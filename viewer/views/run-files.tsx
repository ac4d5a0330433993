import { bytesText } from "../../src/core/number-text.ts";
import type { RunView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { DiffView } from "../parts/diff-view.tsx";
import { Problem, Waiting } from "../parts/notice.tsx";
import { useLoaded } from "../state/use-loaded.ts";
import { visibleText } from "../text/visible-text.ts";

/** What is larger, or no text, is only to be downloaded. */
const MOST_BYTES = 2_000_000;
const BINARY = /\.(png|jpe?g|gif|webp|pdf|zip|gz|tgz|xz|zst|db|sqlite|parquet|npy|npz|pt|bin|so|wasm)$/i;

/** A run's files; a text opens here. */
export function RunFiles({ run }: { run: RunView }) {
  const { source, route, href } = useApp();
  if (run.files.length === 0) return null;
  const open = run.files.find(({ path }) => path === route.query.file);
  return (
    <section aria-labelledby="files-title">
      <h2 id="files-title">Files</h2>
      {!source.live && <p class="quiet-text">These open while the report is in its study's folder.</p>}
      <ul class="files">
        {run.files.map(({ path, bytes }) => {
          const isText = bytes <= MOST_BYTES && !BINARY.test(path);
          const link = source.live?.fileHref({ study: route.study, run: run.id, path });
          const here = href({
            page: "run",
            run: run.id,
            query: { ...route.query, tab: "files", file: path },
          });
          return (
            <li key={path}>
              {link === undefined ? (
                <a class="mono" href={besideReport(run.id, path)}>
                  {path}
                </a>
              ) : (
                <>
                  {isText && (
                    <a class="mono" href={here} aria-current={open?.path === path ? "true" : undefined}>
                      {path}
                    </a>
                  )}
                  <a
                    class={isText ? "quiet-text" : "mono"}
                    href={link}
                    download
                    aria-label={`Download ${path}`}
                  >
                    {isText ? "download" : path}
                  </a>
                </>
              )}
              <span class="count">{bytesText(bytes)}</span>
            </li>
          );
        })}
      </ul>
      {open && source.live && <OpenFile key={open.path} run={run.id} path={open.path} />}
    </section>
  );
}

function OpenFile({ run, path }: { run: string; path: string }) {
  const { source, route } = useApp();
  const { data, error } = useLoaded(path, { isLive: false }, () =>
    source.live!.fileText({ study: route.study, run, path }),
  );
  if (error) return <Problem text={error} />;
  if (data === undefined) return <Waiting />;
  return (
    <section aria-label={path}>
      <h2 class="mono">{visibleText(path)}</h2>
      {/\.(patch|diff)$/i.test(path) ? (
        <DiffView text={data} label={path} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre class="log" tabIndex={0}>
          {visibleText(data)}
        </pre>
      )}
    </section>
  );
}

/** A report lies in its study's folder, beside the runs; one that was sent around has lost them. */
function besideReport(run: string, path: string): string {
  return ["..", "runs", run, ...path.split("/")].map(encodeURIComponent).join("/");
}
