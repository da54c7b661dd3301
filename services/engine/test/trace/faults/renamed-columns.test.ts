import { describe, expect, it } from "vitest";
import { type Files, ofKind, signalsIn, traced } from "../signals-in.ts";

const ships = `import { query } from "./db.js";
const toShip = (row) => ({ id: row.id, home: row.port });
export const ships = () => query("SELECT * FROM ships").map(toShip);
`;
const list = `import { ships } from "./ships.js";
export function list() {
  for (const ship of ships()) {
    if (ship.home === undefined) throw new Error("home is undefined");
  }
}
`;

async function foundIn(
  migration: string,
  name = "migrations/004.sql",
  message = "Error: home is undefined",
  others: Files = {},
) {
  const files = { "list.js": list, "ships.js": ships, [name]: migration, ...others };
  return ofKind(await signalsIn(files, message, "list (/srv/list.js:4:41)"), "renamed-column");
}

describe("a column that a row lacks", () => {
  it.each([
    ["ALTER TABLE ships RENAME COLUMN port TO harbor;", "migrations/004.sql", "harbor"],
    ['alter table ships rename column "port" to "harbor"', "migrations/004.sql", "harbor"],
    ["ALTER TABLE ships DROP COLUMN IF EXISTS port;", "migrations/004.sql", null],
    ['export const up = (table) => table.renameColumn("port", "harbor");', "migrations/004.js", "harbor"],
    ['export const up = (table) => table.dropColumn("port");', "migrations/004.js", null],
  ])("was taken away by a migration: %s", async (text, migration, to) => {
    const args = { code: "row.port", column: "port", to, migration };
    expect(await foundIn(text, migration)).toEqual([{ line: 2, args }]);
  });

  it.each([
    ["another column", "ALTER TABLE ships RENAME COLUMN flag TO country;", undefined],
    ["another failure", "ALTER TABLE ships RENAME COLUMN port TO harbor;", "Error: the ship sank"],
  ])("isn't looked for in a migration of %s", async (_, text, message) => {
    expect(await foundIn(text, "migrations/004.sql", message)).toEqual([]);
  });

  const renaming = "ALTER TABLE ships RENAME COLUMN port TO harbor;";

  it.each<[string, string, Files]>([
    ["it was of another table", "ALTER TABLE planes DROP COLUMN port;", {}],
    ["it was renamed back", renaming, { "migrations/005.sql": "ALTER TABLE ships RENAME COLUMN harbor TO port;" }],
    ["it was added again", renaming, { "migrations/005.sql": "ALTER TABLE ships ADD COLUMN port TEXT;" }],
    ["it was replaced", "ALTER TABLE ships DROP COLUMN port;\nALTER TABLE ships ADD port TEXT;", {}],
    ["the query gives it the name", renaming, { "ships.js": ships.replace("*", "id, harbor AS port") }],
  ])("isn't missing where %s", async (_, text, others) => {
    expect(await foundIn(text, undefined, undefined, others)).toEqual([]);
  });

  it("was taken away after it was added", async () => {
    const others = { "migrations/001.sql": "ALTER TABLE ships ADD COLUMN port TEXT;" };
    expect(await foundIn(renaming, undefined, undefined, others)).toHaveLength(1);
  });

  it("isn't looked for in prose", async () => {
    expect(await foundIn(`Run \`${renaming}\``, "docs/README.md")).toEqual([]);
  });

  it("was renamed by a migration of Python", async () => {
    const files = {
      "ships.py": 'def home_of(row):\n    home = row.get("port")\n    return home.upper()\n',
      "versions/004.py": 'def upgrade():\n    op.alter_column("ships", "port", new_column_name="harbor")\n',
    };
    const log =
      "Traceback (most recent call last):\n  File \"/srv/ships.py\", line 3, in home_of\n    return home.upper()\nAttributeError: 'NoneType' object has no attribute 'upper'\n";
    const found = ofKind((await traced(log, files)).signals, "renamed-column");
    expect(found).toEqual([{ line: 2, args: expect.objectContaining({ column: "port", to: "harbor" }) }]);
  });
});
