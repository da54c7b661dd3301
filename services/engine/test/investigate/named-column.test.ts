import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";
import { eventSubject, exception, frameAt, reportedEvent } from "../reported-event.ts";

const program = {
  "/srv/ledger/src/columns.js": `const columns = ["e.id", "e.payee_code AS payee", "e.cents"];

export const entriesSql = (order) => \`SELECT \${columns.join(", ")} FROM entries e ORDER BY \${order}\`;
`,
  "/srv/ledger/src/entries.js": `import { entriesSql } from "./columns.js";
import { db } from "./db.js";

export function entries() {
  return db.prepare(entriesSql("e.cents")).all();
}
`,
};
const frames = [frameAt(program, "/srv/ledger/src/entries.js", "prepare", "entries")];
const error = exception("SqliteError", "no such column: e.payee_code", frames);

async function wordsFor(...logged: readonly string[]): Promise<string> {
  const breadcrumbs = logged.map((message) => ({
    timestamp: "2026-03-01T09:59:50.000Z",
    category: "log",
    level: "info" as const,
    message,
  }));
  const { report } = await investigated(eventSubject(reportedEvent({ exceptions: [error], breadcrumbs })));
  return JSON.stringify(report);
}

describe("a column that the database lacks", () => {
  it("isn't put down to a migration that the process logged as run", async () => {
    for (const line of [
      "migrated 007_payees.sql",
      "Applied migration V7__payees.sql in 12 ms",
      "[migrate] migration 20260301_payees has been applied.",
      "migration db/007_payees.js completed (0.4 s)",
      "migrated e.payee_code",
    ]) {
      const words = await wordsFor(line);
      expect(words).toContain("The table has no column `e.payee_code`.");
      expect(words).not.toMatch(/a migration hasn't run|migration that adds it is pending/);
    }
  });

  it("may be in a migration that hasn't run when nothing says that it has", async () => {
    for (const line of [
      "ledger is up",
      "migrations not applied",
      "migration 007_payees.sql failed",
      "would migrate 007_payees.sql",
      "dry-run: migrated 007_payees.sql",
      "not migrated: 007_payees.sql",
      "007_payees.sql not migrated",
      "migrated 007_payees.sql if asked to",
      "migrated 0",
      "migrated 0 files",
      "migrated 3.2",
      "Applied 0 migrations",
      "no migrations",
      "no pending migrations",
      "failed to migrate 007_payees.sql",
      "All migrations applied",
      "migrated customers",
    ])
      expect(await wordsFor(line), line).toContain("a migration hasn't run");
  });

  it("may be in one that was taken back, or in another that failed", async () => {
    for (const line of [
      "migration 008_codes.sql failed",
      "failed to migrate: disk is full",
      "rolled back 007_payees.sql",
      "migration 007_payees.sql failed after 3 s",
    ])
      expect(await wordsFor("migrated 007_payees.sql", line), line).toContain("a migration hasn't run");
  });
});

it("quotes the text on a line that the error names", async () => {
  const log = `SqliteError: no such column: e.payee_code
    at entries (/srv/ledger/src/entries.js:5:13)
`;
  const { report } = await investigated(
    textSubject(log, {
      "src/columns.js": `export const columnsOf = () => ["e.id", "e.payee_code AS payee", "e.cents"];
`,
      "src/entries.js": `import { columnsOf } from "./columns.js";
import { db } from "./db.js";

export function entries() {
  return db.prepare(\`SELECT \${columnsOf().join(", ")} FROM entries e\`).all();
}
`,
    }),
  );
  const words = JSON.stringify(report.candidates);
  expect(words).toContain("e.payee_code AS payee");
  expect(words).not.toContain('uses `\\"e.id\\"`');
});
