import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqliteControlDb } from "../../src/control/sqlite-control-db.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

const now = new Date("2026-03-01T12:00:00.000Z");

describe("sqlite control database", () => {
  it("finds what it stored when it is opened again", async () => {
    const path = join(temporaryDirectory(), "control.sqlite");
    const first = await openSqliteControlDb({ path, secretKeys: [] });
    const { id } = await first.organizations.ensure({ slug: "default", name: "Default", now });
    await first.close();
    const second = await openSqliteControlDb({ path, secretKeys: [] });
    expect(await second.organizations.ensure({ slug: "default", name: "Default", now })).toEqual({
      id,
      created: false,
    });
    await second.close();
  });

  it("refuses a path that cannot be opened, naming it", async () => {
    const path = join(temporaryDirectory(), "missing", "control.sqlite");
    await expect(openSqliteControlDb({ path, secretKeys: [] })).rejects.toMatchObject({
      code: "WHENCE_ERR_CONTROL_UNAVAILABLE",
      message: expect.stringContaining(path),
    });
  });
});
