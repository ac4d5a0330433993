import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder with some files that is gone when the test ends: `using folder = new TempFolder({...})`. */
export class TempFolder implements Disposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), "assay-unit-")));

  constructor(files: Record<string, string | Uint8Array> = {}) {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  /** Writes a file and gives its whole path. */
  write(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
