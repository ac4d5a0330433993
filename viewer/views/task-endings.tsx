import { countText } from "../../src/core/number-text.ts";
import type { TasksView } from "../../src/reporters/study-view.ts";
import { useApp } from "../app-context.ts";
import { NameText } from "../parts/name-text.tsx";
import { Scrolled } from "../parts/scrolled.tsx";

/** So many columns of arms are read beside each other; the cells of the table above have the others. */
const MOST_ARMS = 8;

/** What the runs ended with that solved nothing, and how often in each arm. */
export function TaskEndings({ grid: { endings, arms, isRate } }: { grid: TasksView }) {
  const { href } = useApp();
  if (endings.length === 0) return null;
  const shown = arms.length > MOST_ARMS ? [] : arms;
  return (
    <section aria-labelledby="endings-title">
      <h2 id="endings-title">
        {isRate ? "How runs ended that solved nothing" : "How runs ended without a value"}
      </h2>
      <Scrolled label="Endings">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">ended with</th>
              <th scope="col">owner</th>
              <th scope="col" class="number">
                runs
              </th>
              {shown.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              <th scope="col">such as</th>
            </tr>
          </thead>
          <tbody>
            {endings.map(({ what, owner, count, byArm, ids }) => (
              <tr key={`${owner} ${what}`}>
                <th scope="row">
                  <NameText text={what} />
                </th>
                <td>{owner === "" ? <span class="none">–</span> : owner}</td>
                <td class="number">{countText(count)}</td>
                {shown.map(({ name }, i) => (
                  <td key={name} class="number">
                    {byArm[i] === 0 ? <span class="none">–</span> : countText(byArm[i]!)}
                  </td>
                ))}
                <td class="short">
                  <a class="mono" href={href({ page: "run", run: ids[0]! })}>
                    {ids[0]}
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </section>
  );
}
