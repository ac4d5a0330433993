const SVG = "http://www.w3.org/2000/svg";

/** Makes a chart's legend a row of switches that hide and show series. `hidden` holds the names that are off. */
export function addLegendToggles(svg: SVGSVGElement, hidden: Set<string>): void {
  const entries = [...svg.querySelectorAll<SVGGElement>(".legend .entry[data-series]")];
  const marks = [...svg.querySelectorAll("[data-series]")].filter((mark) => !mark.closest(".legend"));
  if (entries.length < 2 || marks.length === 0) return;
  // An image's parts can't be reached; a group's can.
  svg.setAttribute("role", "group");
  for (const button of entries) {
    const name = button.dataset.series!;
    button.classList.add("switch");
    button.setAttribute("role", "button");
    button.setAttribute("tabindex", "0");
    button.setAttribute("aria-label", `show ${name}`);
    button.prepend(hitArea(button));
    const show = () => {
      const isHidden = hidden.has(name);
      button.setAttribute("aria-pressed", String(!isHidden));
      for (const mark of marks)
        if (mark.getAttribute("data-series") === name) mark.toggleAttribute("data-hidden", isHidden);
    };
    const toggle = () => {
      if (!hidden.delete(name)) hidden.add(name);
      show();
    };
    button.addEventListener("click", toggle);
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
    show();
  }
}

/** Between the line and the name there is nothing to click on otherwise. */
function hitArea(entry: SVGGElement): Element {
  const area = document.createElementNS(SVG, "rect");
  const { x, y, width, height } = entry.getBBox();
  const numbers = { x: x - 5, y: y - 4, width: width + 10, height: height + 8, rx: 4 };
  for (const [name, value] of Object.entries(numbers)) area.setAttribute(name, String(value));
  area.setAttribute("class", "hit");
  return area;
}
