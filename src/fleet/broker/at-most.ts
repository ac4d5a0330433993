/** Waits until it has ended, well or not, and no longer than this: a server that is away must not keep a program. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  const end = () => {};
  await Promise.race([work.then(end, end), late]);
  clearTimeout(timer);
}
