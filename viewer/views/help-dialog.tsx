import { Dialog } from "../parts/dialog.tsx";

const KEYS: [string, string][] = [
  ["/", "search, or filter the runs"],
  ["?", "this help"],
  ["Esc", "close, or leave a field"],
  ["g o", "overview of the study"],
  ["g c", "charts"],
  ["g t", "tasks"],
  ["g r", "runs"],
  ["g s", "all studies (live page)"],
  ["↑ ↓ or j k", "walk along the rows, where Enter opens one; along the turns of a transcript"],
  ["x", "choose the row's run for a comparison"],
  ["n p", "next and previous run"],
  ["1 2 3", "your verdict on a run: pass, fail, unsure"],
  ["t", "light, dark, or as the system"],
];

const FILTERS: [string, string][] = [
  ["full late", "rows that hold both words, anywhere"],
  ["policy=full,fifo", "either of two values"],
  ["policy=dag*", "values that begin so"],
  ["status!=ok", "all but one value"],
  ["cost_usd>0.5 seed<=3", "numbers, all conditions at once"],
  ["verdict=fail tags~loop", "what people noted on runs"],
  ["reason~memory", "text that contains a word"],
  ["score=", "rows without a value"],
  ['"my column"="a b"', "names and values with spaces"],
];

export function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog label="Help" onClose={onClose}>
      <h2>Keys</h2>
      <Pairs pairs={KEYS} />
      <h2>Filters of the run table</h2>
      <Pairs pairs={FILTERS} />
    </Dialog>
  );
}

function Pairs({ pairs }: { pairs: [string, string][] }) {
  return (
    <dl class="keys">
      {pairs.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
