import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "chdb";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEmbeddedEventStore } from "../../src/events/chdb-connection.ts";
import { stored } from "../stored-event.ts";

/**
 * Takes the rows of some tables from the disk behind the engine's back. It notes what it is about to store and only then
 * puts it in its place: killed between the two, it starts again with the note and without the rows.
 */
function loseRows(path: string, tables: readonly string[]): void {
  const session = new Session(path);
  const parts = tables.map((table) =>
    session.query(`SELECT path FROM system.parts WHERE active AND table = '${table}'`, "TSVRaw").trim(),
  );
  session.close();
  for (const part of parts.flatMap((paths) => paths.split("\n"))) rmSync(part, { recursive: true });
}

async function storedAgainAfterLosing(tables: readonly string[]): Promise<unknown> {
  const path = mkdtempSync(join(tmpdir(), "whence-killed-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const group = [1, 2, 3].map((seq) => stored({ fingerprint: "v1:killed", event: { seq } }));
  const killed = await openEmbeddedEventStore({ path, retentionDays: 3_650 });
  await killed.insert(group);
  await killed.close();
  loseRows(path, tables);
  const store = await openEmbeddedEventStore({ path, retentionDays: 3_650 });
  await store.insert(group);
  const scoped = store.forScope(group[0]?.scopeId ?? "");
  const range = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", limit: 100 };
  const found = {
    events: (await scoped.find(range)).length,
    failing: (await scoped.failure("v1:killed"))?.events,
    received: (await scoped.deliveries({ since: "2020-01-01T00:00:00Z", limit: 9 })).map(({ received }) => received),
  };
  await store.close();
  return found;
}

describe("a group inserted again after the engine was killed", () => {
  const whole = { events: 3, failing: 3, received: [3] };

  it("is there and counted once when all of it had been stored", async () => {
    expect(await storedAgainAfterLosing([])).toEqual(whole);
  });

  it("is there when its events had been recorded but not stored", async () => {
    expect(await storedAgainAfterLosing(["events"])).toEqual(whole);
  });

  it("is counted when its counts had been recorded but not stored", async () => {
    expect(await storedAgainAfterLosing(["failure_minutes", "deliveries"])).toEqual(whole);
  });
});
