// Adds to package-lock.json the optional packages of other platforms that the registry here does not serve.
import { readFileSync, writeFileSync } from "node:fs";

const path = process.argv[2];
const lock = JSON.parse(readFileSync(path, "utf8"));
const OS = [
  "android",
  "darwin",
  "linux",
  "win32",
  "freebsd",
  "openbsd",
  "netbsd",
  "sunos",
  "aix",
  "openharmony",
];
const added = [];
for (const [parent, entry] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`] || lock.packages[`${parent}/node_modules/${name}`]) continue;
    added.push([parent, name, version]);
  }
}
for (const [parent, name, version] of added) {
  const tail = name.split("/")[1];
  const os = OS.filter((word) => tail.includes(word));
  const cpu = ["arm64", "x64", "ia32", "ppc64", "riscv64", "s390x", "wasm32"].filter((word) =>
    tail.includes(word),
  );
  if (cpu.length === 0 && tail.includes("arm")) cpu.push("arm");
  const libc = tail.includes("musl") ? ["musl"] : /gnu/.test(tail) ? ["glibc"] : undefined;
  lock.packages[`node_modules/${name}`] = {
    version,
    cpu,
    ...(lock.packages[parent].dev && { dev: true }),
    ...(libc && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} added`);
