/** How sections are indexed; the page that searches must say the same. */
export const searchOptions = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page", "text"],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};
