/** A number for a person: three or four digits that matter, thousands apart, no needless zeros. */
export function numberText(value: number, digits = 4): string {
  const magnitude = Math.abs(value);
  if (value === 0) return "0";
  if (magnitude >= 1e7 || magnitude < 1e-4) return value.toExponential(2).replace("e+", "e");
  if (magnitude >= 1000) return String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return String(Number(value.toPrecision(digits)));
}

export function percentText(share: number): string {
  return `${numberText(share * 100, share < 0.1 ? 2 : 3)} %`;
}
