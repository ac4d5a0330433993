#!/usr/bin/env bash
# Checks a release and gathers what goes with it in release/: the tarball, its release notes, its bill of materials.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH="$PWD/node_modules/.bin:$PATH"
version=$(node -p 'require("./package.json").version')
rm -rf release
mkdir release

# Only the owner knows these, so they are empty until the first release.
node -e '
  const missing = ["repository", "bugs", "homepage"].filter((key) => !require("./package.json")[key]);
  if (missing.length > 0) console.log(`package.json lacks ${missing.join(", ")}: fill them in before you publish`);
'

# Licences of all that users install, and the hashes of the lock file.
vitest run --project unit test/scripts/locked-packages.test.ts

# CycloneDX, without what only developers need. npm names it after the folder that it stands in.
npm sbom --sbom-format cyclonedx --omit dev --package-lock-only |
  node -e '
    const bill = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    bill.metadata.component.name = "assay";
    console.log(JSON.stringify(bill, null, 2));
    console.error(`${bill.components.length} packages in the bill of materials`);
  ' >"release/assay-$version.cdx.json"

# The notes are this version's part of the changelog.
awk -v heading="## [$version]" 'index($0, heading) == 1 { on = 1; next } /^## / { on = 0 } on' CHANGELOG.md >release/notes.md
[ -s release/notes.md ] || { echo "CHANGELOG.md says nothing about $version: add a heading \"## [$version] - DATE\""; exit 1; }

# The tarball must work where nothing else is: in an empty folder, installed as a user would.
npm pack --silent --pack-destination release >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tarball="$PWD/release/assay-$version.tgz"
cd "$scratch"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --prefer-offline "$tarball"
npx --no-install assay run node_modules/assay/examples/quickstart/study.yaml
test -s bench_runs/quickstart/report/index.html
npx --no-install assay compare quickstart | head -3
cd - >/dev/null

echo "release/: $(ls release)"
echo "Next: git tag v$version && git push origin v$version && npm publish release/assay-$version.tgz"
