/** The settings that hold. */
export function merge(defaults, given) {
  for (const key in given) {
    if (given[key] === undefined) continue;
    if (typeof given[key] === "object" && given[key] !== null && typeof defaults[key] === "object") {
      merge(defaults[key], given[key]);
    } else defaults[key] = given[key];
  }
  return defaults;
}
