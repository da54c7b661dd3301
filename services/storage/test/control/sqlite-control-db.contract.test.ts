import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openSqliteControlDb } from "../../src/control/databases/sqlite-control-db.ts";
import { describeControlDb } from "./control-db.contract.ts";

const directory = mkdtempSync(join(tmpdir(), "whence-control-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describeControlDb("sqlite", () =>
  openSqliteControlDb({ path: join(directory, "control.sqlite"), secretKeys: [randomBytes(32)] }),
);
