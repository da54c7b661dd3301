import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "chdb";
import { afterAll, describe, expect, it } from "vitest";
import {
  addColumns,
  changeExpiry,
  createDatabase,
  createTable,
  createView,
  dropHiddenRows,
  hideRows,
  retainScope,
  type SchemaPlace,
  widenView,
} from "../../src/events/schema/statements.ts";
import { tables } from "../../src/events/schema/tables.ts";
import { views } from "../../src/events/schema/views.ts";

const path = mkdtempSync(join(tmpdir(), "whence-events-"));
const session = new Session(path);
afterAll(() => {
  session.close();
  rmSync(path, { recursive: true, force: true });
});

const place: SchemaPlace = { database: "whence", cluster: "fleet-1", retentionDays: 30 };
const stored = tables.flatMap((table) => (table.expiry === undefined ? [] : [{ ...table, expiry: table.expiry }]));

const statements = [
  createDatabase(place),
  ...tables.flatMap((table) => createTable(table, place)),
  ...tables.flatMap((table) => addColumns(table, table.columns, place)),
  ...stored.map((table) => changeExpiry(table, table.expiry(7), place)),
  ...stored.map((table) => retainScope(table, place)),
  ...stored.flatMap((table) => [
    hideRows(table, place, true),
    hideRows(table, place, false),
    dropHiddenRows(table, place),
  ]),
  ...views.flatMap((view) => [createView(view, place), widenView(view, place)]),
];

/** As the engine's own parser reads it; throws when it cannot. */
function parsed(statement: string): string {
  return session.queryBind("SELECT formatQuerySingleLine({statement:String})", { statement }, "TSVRaw").trim();
}

describe("statements of a cluster", () => {
  it("are read by ClickHouse's parser, each for the whole cluster", () => {
    for (const statement of statements) expect(parsed(statement)).toContain("ON CLUSTER `fleet-1`");
  });

  it("replicate each table that holds rows, and query it through a distributed one", () => {
    for (const table of stored) {
      const [held = "", asked = ""] = createTable(table, place).map(parsed);
      expect(held).toContain(`whence.${table.name}_local ON CLUSTER`);
      expect(held).toContain(
        `ENGINE = Replicated${table.engine}('/clickhouse/tables/{shard}/whence/${table.name}', '{replica}'${table.greatest ? `, ${table.greatest}` : ""})`,
      );
      expect(asked).toContain(`whence.${table.name} ON CLUSTER`);
      expect(asked).toContain(`ENGINE = Distributed('fleet-1', 'whence', '${table.name}_local', ${table.shardBy})`);
    }
  });

  it("send every copy of an event to one shard", () => {
    expect(tables[0]?.shardBy).toBe("cityHash64(id)");
  });

  it("have each shard build the rollups of its own events", () => {
    for (const view of views) {
      for (const statement of [createView(view, place), widenView(view, place)].map(parsed)) {
        expect(statement).toContain(`FROM whence.${view.from}_local AS event`);
      }
      expect(parsed(createView(view, place))).toContain(` TO whence.${view.to}_local `);
    }
  });

  it("add columns where rows are held before they are queried, and change rows only there", () => {
    const [first] = tables;
    if (!first) throw new Error("no table");
    const altered = addColumns(first, first.columns.slice(-1), place).map(
      (statement) => parsed(statement).split(" ")[2],
    );
    expect(altered).toEqual(["whence.events_local", "whence.events"]);
    for (const table of stored) {
      for (const statement of [retainScope(table, place), changeExpiry(table, table.expiry(7), place)]) {
        expect(parsed(statement)).toContain(`ALTER TABLE whence.${table.name}_local ON CLUSTER`);
      }
    }
  });

  it("differ from those for one server in nothing else", () => {
    const alone: SchemaPlace = { ...place, cluster: undefined };
    for (const table of stored) {
      const [one = ""] = createTable(table, alone);
      const [many = ""] = createTable(table, place);
      const plain = parsed(many)
        .replace(" ON CLUSTER `fleet-1`", "")
        .replace(`${table.name}_local`, table.name)
        .replace(/Replicated(\w+)\('[^)]*'\)/, "$1")
        .replace(/Replicated(\w+)\('[^)]*', (\w+)\)/, "$1($2)");
      expect(parsed(one)).toBe(plain);
    }
  });
});
