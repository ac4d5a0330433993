import { describe, expect, it } from "vitest";
import { TempFolder } from "../../../../../test/support/temp-folder.ts";
import { loadSqlite, readValue } from "../../../src/farm/database/database.ts";
import {
  applyPragmas,
  choosePragmas,
  PROFILE_NAMES,
  pragmaProfiles,
} from "../../../src/farm/database/pragmas.ts";

const open = await loadSqlite();
const NONE = { journal_mode: null, synchronous: null, cache_size: null, mmap_size: null, page_size: null };

describe("a profile of settings", () => {
  it.each(PROFILE_NAMES)("%s is what the database then has", (name) => {
    using folder = new TempFolder();
    const db = open(`${folder.path}/a.db`);
    const profile = pragmaProfiles[name];
    applyPragmas(db, profile);
    db.exec("CREATE TABLE t (a)");
    const found = Object.keys(profile).map((pragma) => readValue(db, `PRAGMA ${pragma}`));
    const level = ["off", "normal", "full"].indexOf(profile.synchronous);
    expect(found).toEqual([
      profile.journal_mode,
      level,
      profile.cache_size,
      profile.mmap_size,
      profile.page_size,
    ]);
    db.close();
  });

  it("gives way to single settings", () => {
    const { page_size, ...rest } = choosePragmas("safety", { ...NONE, page_size: 16_384 });
    expect(page_size).toBe(16_384);
    expect(rest).toEqual({ journal_mode: "wal", synchronous: "full", cache_size: -16_384, mmap_size: 0 });
  });

  it("is an error where SQLite quietly did something else", () => {
    using folder = new TempFolder();
    const db = open(`${folder.path}/a.db`);
    db.exec("CREATE TABLE t (a)");
    expect(() => applyPragmas(db, { ...pragmaProfiles.safety, page_size: 8192 })).toThrow(
      "SQLite did not take page_size = 8192: it is 4096",
    );
    db.close();
    expect(() => applyPragmas(open(":memory:"), pragmaProfiles.safety)).toThrow(
      "did not take journal_mode = wal",
    );
  });
});
