// Loaded into a process that is measured: says, when asked, how much it still holds after a collection.
process.on("message", () => {
  global.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ heldBytes: heapUsed + external });
});
process.channel.unref();
