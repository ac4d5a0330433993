#!/usr/bin/env bash
# What a release is checked for, and what goes with it: release/ gets the bill of materials.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH="$PWD/node_modules/.bin:$PATH"
version=$(node -p 'require("./package.json").version')
rm -rf release
mkdir release

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

echo "release/: $(ls release)"
