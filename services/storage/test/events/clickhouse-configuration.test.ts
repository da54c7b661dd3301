import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "chdb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "../../../../deploy/clickhouse");
const server = readFileSync(join(folder, "config.d/whence.xml"), "utf8");
const users = readFileSync(join(folder, "users.d/whence.xml"), "utf8");

/** Every log table that a ClickHouse of version 24 to 26 knows of: the names of its src/Interpreters/SystemLog.h. */
const logs = [
  ...["aggregated_zookeeper_log", "asynchronous_insert_log", "asynchronous_metric_log", "azure_queue_log"],
  ...["background_schedule_pool_log", "backup_log", "blob_storage_log", "crash_log", "delta_lake_metadata_log"],
  ...["error_log", "filesystem_cache_log", "filesystem_read_prefetches_log", "histogram_metric_log"],
  ...["iceberg_metadata_log", "instrumentation_trace_log", "latency_log", "metric_log", "opentelemetry_span_log"],
  ...["part_log", "predicate_statistics_log", "processors_profile_log", "query_log", "query_metric_log"],
  ...["query_thread_log", "query_views_log", "s3queue_log", "session_log", "text_log", "trace_log"],
  ...["transactions_info_log", "transposed_metric_log", "zookeeper_connection_log", "zookeeper_log"],
];

const path = mkdtempSync(join(tmpdir(), "whence-events-"));
let session: Session;
beforeAll(() => {
  const configuration = join(path, "config.xml");
  // A server merges its files; the engine takes one, of the same settings, and would log into this test's output.
  writeFileSync(configuration, server.replace(/<logger>.*<\/logger>/s, ""));
  session = new Session(join(path, "data"), { connectionArgs: [`--config-file=${configuration}`] });
});
afterAll(() => {
  session.close();
  rmSync(path, { recursive: true, force: true });
});

describe("the configuration of a ClickHouse server", () => {
  it("turns each of the server's own logs off, or limits it by days", () => {
    for (const log of logs) {
      const isOff = server.includes(`<${log} remove="1"/>`);
      const [, kept = ""] = new RegExp(`<${log} replace="1">(.*?)</${log}>`, "s").exec(server) ?? [];
      const isBounded = /<ttl>event_date \+ INTERVAL \d+ DAY DELETE<\/ttl>/.test(kept);
      // A definition of its own of the engine would make the server refuse the TTL beside it.
      expect([log, isOff !== isBounded, kept.includes("<engine>")]).toEqual([log, true, false]);
    }
  });

  it("is read by the engine: its memory limits are in effect", () => {
    const value = (name: string): number =>
      Number(session.query(`SELECT value FROM system.server_settings WHERE name = '${name}'`, "TSVRaw"));
    expect(value("mark_cache_size")).toBe(256 * 1_048_576);
    expect(value("primary_index_cache_size")).toBe(256 * 1_048_576);
    expect(value("max_server_memory_usage_to_ram_ratio")).toBe(0.8);
  });

  it("names settings that the engine knows", () => {
    const [, profile = ""] = /<profiles>\s*<default>(.*?)<\/default>/s.exec(users) ?? [];
    const settings = [...profile.matchAll(/<(\w+)>(\d+)<\//g)];
    expect(settings.length).toBeGreaterThan(5);
    for (const [, name, value] of settings) session.query(`SET ${name} = ${value}`);
  });

  it("has one user, whose password comes from the environment", () => {
    expect(users).toContain('<default remove="1"/>');
    expect(users).toContain('<password from_env="CLICKHOUSE_PASSWORD"/>');
    expect(users).not.toMatch(/<password>/);
  });
});
