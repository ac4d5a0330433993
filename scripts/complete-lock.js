// Adds to package-lock.json the optional packages of other platforms that npm left out, and to every package that has
// none the hash and the licence that the registry tells. A registry that serves only some platforms tells nothing of the others:
// SECURITY.md says what that means.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const path = process.argv[2] ?? "package-lock.json";
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

/** What the registry says of a package; undefined where it does not serve it. */
function view(name, version) {
  try {
    const words = ["view", `${name}@${version}`, "dist.integrity", "license", "--json"];
    return JSON.parse(
      execFileSync("npm", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }) || "null",
    );
  } catch {
    return undefined;
  }
}

const isBare = ([place, { integrity, link }]) =>
  place.startsWith("node_modules/") && !link && integrity === undefined;
const bare = Object.entries(lock.packages).filter(isBare);
for (const [place, entry] of bare) {
  const told = view(place.split("node_modules/").at(-1), entry.version);
  if (told?.["dist.integrity"]) entry.integrity = told["dist.integrity"];
  if (told?.license) entry.license = told.license;
}
const left = bare.filter(isBare);

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(
  `${added.length} added, ${bare.length - left.length} hashes filled in, ${left.length} still without`,
);
