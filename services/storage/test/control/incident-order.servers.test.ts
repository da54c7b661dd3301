import { incidentSorts } from "@whence/protocol";
import pg from "pg";
import { expect, it } from "vitest";
import { openPostgresControlDb } from "../../src/control/databases/postgres-control-db.ts";
import { controlDatabases } from "./databases.ts";

const [, postgres] = controlDatabases();
const scopeId = "org_1";
const incidents = 100_000;
const pageSize = 50;

/** One after the other, so that ids sort by time; some without counts, and some without a report. */
const filled = `
  insert into incident (id, scope_id, status, title, severity, trigger_kind, trigger_json, decision_json, created_at,
    events, last_event_at, confidence)
  select 'inc_' || lpad(n::text, 9, '0'), '${scopeId}', 'completed', 'Error', 'high', 'event',
    '{"kind":"event","event_id":"e","mechanism":"test","handled":true}',
    '{"outcome":"opened","rule":"new-failure","reason":"new"}',
    to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
    case when n % 10 = 0 then 0 else (n * 7919) % 5000 end,
    case when n % 10 = 0 then null
      else to_char(timestamp '2026-01-01' + (n * 31 % ${incidents}) * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')
    end,
    case when n % 3 = 0 then null else (n % 100) / 100.0 end
  from generate_series(1, ${incidents}) as n`;

it("reads a page of 100,000 incidents in any order from an index, the first page and one in the middle", async () => {
  const url = await postgres.url();
  const db = await openPostgresControlDb({ url, secretKeys: [] });
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(filled);
    await client.query("vacuum analyze incident");
    for (const sort of incidentSorts) {
      await client.query("select pg_stat_reset()");
      const { incidents: repository } = db.scope(scopeId);
      const first = await repository.list({ limit: pageSize, sort });
      const last = first.at(-1);
      expect(first).toHaveLength(pageSize);
      const middle = { id: "inc_000050000", value: middles[sort] };
      expect(await repository.list({ limit: pageSize, sort, before: middle })).toHaveLength(pageSize);
      expect(last).toBeDefined();
      // What its connections read is counted within a second.
      await expect.poll(() => scansOf(client)).toEqual({ sequential: 0, byIndex: true });
    }
  } finally {
    await client.end();
    await db.close();
  }
});

const middles = { newest: "", "last-seen": "2026-02-01T00:00:00.000Z", events: 2_500, confidence: 0.5 } as const;

/** Whether pages were read from indexes, with few more rows than they show. */
async function scansOf(client: pg.Client): Promise<{ sequential: number; byIndex: boolean }> {
  const { rows } = await client.query(
    "select seq_scan::int as sequential, idx_tup_fetch::int as fetched from pg_stat_user_tables where relname = 'incident'",
  );
  const { sequential, fetched } = rows[0];
  return { sequential, byIndex: fetched >= 2 * pageSize && fetched < 10 * pageSize };
}
