/** The part of an address that stands for a title. */
export function slug(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
