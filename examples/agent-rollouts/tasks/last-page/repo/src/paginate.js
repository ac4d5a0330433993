/** One page of a list. */
export function paginate(items, { page, perPage }) {
  const pages = Math.floor(items.length / perPage);
  const start = page * perPage;
  return { page, pages, items: items.slice(start, start + perPage), hasNext: page <= pages };
}
