import type { Fact } from "../../src/reporters/study-view.ts";

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === "" ? "none" : value}</dd>
        </div>
      ))}
    </dl>
  );
}
