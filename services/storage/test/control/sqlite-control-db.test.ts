import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteControlDb } from "../../src/control/databases/sqlite-control-db.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import { actor, newIncident, now } from "./contract/samples.ts";

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

  it("rejects a path that can't be opened, naming it", async () => {
    const path = join(temporaryDirectory(), "missing", "control.sqlite");
    await expect(openSqliteControlDb({ path, secretKeys: [] })).rejects.toMatchObject({
      code: "WHENCE_ERR_CONTROL_UNAVAILABLE",
      message: expect.stringContaining(path),
    });
  });

  it("rejects a file that isn't a database, naming it", async () => {
    const path = join(temporaryDirectory(), "control.sqlite");
    writeFileSync(path, "not a database, but long enough to be looked at as one\n".repeat(100));
    await expect(openSqliteControlDb({ path, secretKeys: [] })).rejects.toMatchObject({
      code: "WHENCE_ERR_CONTROL_UNAVAILABLE",
      message: expect.stringContaining(path),
    });
  });

  it("is unavailable for writing while its disk is full, keeps its data, and continues once there is room", async () => {
    const path = join(temporaryDirectory(), "control.sqlite");
    const db = await openSqliteControlDb({ path, secretKeys: [] });
    onTestFinished(() => db.close());
    const { incidents } = db.scope("org_1");
    const { id } = await incidents.open(newIncident());
    const large = { kind: "text", errorLog: randomBytes(100_000).toString("hex"), files: [] } as const;
    await sql`pragma max_page_count = 1`.execute(db.identity.db);
    await expect(incidents.open(newIncident({ input: large }))).rejects.toMatchObject({
      code: "WHENCE_ERR_CONTROL_UNAVAILABLE",
      message: expect.stringContaining("full"),
    });
    expect((await incidents.list({ limit: 10 })).map((incident) => incident.id)).toEqual([id]);
    await sql`pragma max_page_count = 1000000`.execute(db.identity.db);
    await incidents.open(newIncident({ input: large }));
    expect((await db.outbox.pending(10)).length).toBe(2);
  });

  it("returns the space of removed data to the disk, and leaves no trace of it in the file", async () => {
    const path = join(temporaryDirectory(), "control.sqlite");
    const db = await openSqliteControlDb({ path, secretKeys: [] });
    const { incidents } = db.scope("org_1");
    const kept = await incidents.open(newIncident());
    const title = "the title of what goes";
    for (let count = 0; count < 6; count += 1) {
      const errorLog = randomBytes(4_000_000).toString("hex");
      await incidents.open(newIncident({ title, input: { kind: "text", errorLog, files: [] } }));
    }
    for (const { id } of await incidents.list({ limit: 10 }))
      if (id !== kept.id) await incidents.remove(id, actor, now);
    await db.reclaim();
    await db.close();
    expect(statSync(path).size).toBeLessThan(18_000_000);
    expect(readFileSync(path).includes(title)).toBe(false);
  });
});
