import type { ReleaseChange } from "../signals/facts/release-change.ts";

/** A table or column that a migration renames or drops, while code may still use it. */
export interface SchemaChange {
  readonly name: string;
  /** The table of a column; null for a table, or when the statement doesn't say it. */
  readonly table: string | null;
  readonly change: "removed" | "renamed";
  /** The new name; null unless it was renamed. */
  readonly renamedTo: string | null;
  /** In the new release. */
  readonly line: number;
}

type Statement = Omit<SchemaChange, "line">;

/** Where the statements begin that take a migration back. */
const takenBack =
  /^.*(?:exports\.down\b|\bfunction down\b|\basync down\s*\(|\bdown\s*[:=(]|\bdef down(?:grade)?\b|--\s*(?:\+goose |migrate:)?down\b|--rollback\b)/im;
const takesBack = /(?:^|[\\/._-])(?:down|rollback|undo)\.\w+$/i;
const mayChange =
  /\bDROP\s+|\b(?:RENAME|CHANGE)\b|sp_rename|rename_?(?:column|table|field)|(?:drop|remove)_?(?:column|table|field)|new_column_name/i;

const name = String.raw`["'\x60\[]?(?:\w+["'\x60\]]?\.["'\x60\[]?)*(\w+)["'\x60\]]?`;
const notColumns =
  "(?!(?:CONSTRAINT|INDEX|KEY|PRIMARY|FOREIGN|UNIQUE|CHECK|DEFAULT|NOT|PARTITION|EXPRESSION|IDENTITY|TABLE|VIEW|TRIGGER|FUNCTION|SCHEMA|DATABASE|TYPE|SEQUENCE|IF)\\b)";
const argument = String.raw`[:"'\x60]\w+["'\x60]?`;

const statements: readonly { readonly pattern: RegExp; readonly of: (found: readonly string[]) => Statement | null }[] =
  [
    {
      pattern: new RegExp(String.raw`\bRENAME\s+(?:(?:COLUMN|TABLE)\s+)?(?!TO\b)${name}\s+TO\s+${name}`, "gi"),
      of: ([, old = "", now = ""]) => renamed(old, now),
    },
    {
      pattern: new RegExp(String.raw`\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?${name}\s+RENAME\s+TO\s+${name}`, "gi"),
      of: ([, old = "", now = ""]) => renamed(old, now),
    },
    {
      pattern: new RegExp(String.raw`\bCHANGE\s+(?:COLUMN\s+)?${name}\s+${name}\s+\w+`, "gi"),
      of: ([, old = "", now = ""]) => (old === now ? null : renamed(old, now)),
    },
    {
      pattern: /\bsp_rename\s+'(?:\w+\.)*(\w+)'\s*,\s*'(\w+)'/gi,
      of: ([, old = "", now = ""]) => renamed(old, now),
    },
    {
      pattern: new RegExp(String.raw`\bDROP\s+(?:TABLE|COLUMN)\s+(?:IF\s+EXISTS\s+)?${name}`, "gi"),
      of: ([, old = ""]) => dropped(old),
    },
    {
      // MySQL and PostgreSQL need no `COLUMN` after `ALTER TABLE`.
      pattern: new RegExp(String.raw`(?<=\bALTER\s+TABLE\s[^;]{0,500})\bDROP\s+(?!COLUMN\b)${notColumns}${name}`, "gi"),
      of: ([, old = ""]) => dropped(old),
    },
    {
      pattern: new RegExp(
        String.raw`\brename_?(?:column|table)\b\s*\(?\s*((?:${argument}\s*,\s*){1,2}${argument})`,
        "gi",
      ),
      of: ([, list = ""]) => {
        const [now = "", old = "", table] = argumentsIn(list).toReversed();
        return { ...renamed(old, now), table: table ?? null };
      },
    },
    {
      pattern: new RegExp(
        String.raw`\b(?:drop|remove)_?(column|table)(?:If\w*)?\b\s*\(?\s*(${argument}(?:\s*,\s*${argument})?)`,
        "gi",
      ),
      of: ([, what = "", list = ""]) => {
        const [first = "", second] = argumentsIn(list);
        return what.toLowerCase() === "table" || second === undefined
          ? dropped(first)
          : { ...dropped(second), table: first };
      },
    },
    {
      pattern: /\balter_column\(\s*["'](\w+)["']\s*,\s*["'](\w+)["'][^)]{0,300}\bnew_column_name\s*=\s*["'](\w+)["']/g,
      of: ([, table = "", old = "", now = ""]) => ({ ...renamed(old, now), table }),
    },
    {
      pattern: /\bRenameField\([^)]{0,300}\bold_name\s*=\s*["'](\w+)["'][^)]{0,300}\bnew_name\s*=\s*["'](\w+)["']/g,
      of: ([, old = "", now = ""]) => renamed(old, now),
    },
    { pattern: /\bRemoveField\([^)]{0,300}\bname\s*=\s*["'](\w+)["']/g, of: ([, old = ""]) => dropped(old) },
  ];

/**
 * Returns the tables and columns that a release's migrations rename or drop: in SQL, and in the words of knex, Kysely,
 * Sequelize, TypeORM, Rails, Alembic, and Django. Not those of the part that takes a migration back.
 */
export function schemaChanges<Change extends Pick<ReleaseChange, "hunk" | "path">>(
  changes: readonly Change[],
): (SchemaChange & { readonly in: Change })[] {
  const ofFiles = [...Map.groupBy(changes, ({ path }) => path)];
  return ofFiles.flatMap(([path, ofFile]) => {
    if (takesBack.test(path)) return [];
    const last = ofFile.findIndex(({ hunk }) => takenBack.test(hunk.added.join("\n")));
    return ofFile.slice(0, last === -1 ? undefined : last + 1).flatMap((change) => statementsIn(change));
  });
}

function statementsIn<Change extends Pick<ReleaseChange, "hunk">>(
  change: Change,
): (SchemaChange & { readonly in: Change })[] {
  const { added, to } = change.hunk;
  const whole = added.join("\n");
  if (!mayChange.test(whole)) return [];
  const text = whole.slice(0, takenBack.exec(whole)?.index ?? whole.length);
  return statements.flatMap(({ pattern, of }) =>
    [...text.matchAll(pattern)].flatMap((found) => {
      const statement = of(found);
      if (!statement || isComment(text, found.index)) return [];
      const line = to + text.slice(0, found.index).split("\n").length - 1;
      return [{ ...statement, table: statement.table ?? tableBefore(text, found.index), line, in: change }];
    }),
  );
}

/** The table that the statement around a place alters, in SQL. */
function tableBefore(text: string, end: number): string | null {
  const statement = text.slice(text.lastIndexOf(";", end) + 1, end);
  const found = new RegExp(String.raw`\bALTER\s+TABLE\s+(?:ONLY\s+)?(?:IF\s+EXISTS\s+)?${name}\s`, "i").exec(statement);
  return found?.[1] ?? null;
}

function isComment(text: string, at: number): boolean {
  return /(?:--|\/\/|#)[^\n]*$/.test(text.slice(text.lastIndexOf("\n", at) + 1, at));
}

function argumentsIn(list: string): string[] {
  return list.match(/\w+/g) ?? [];
}

function renamed(old: string, now: string): Statement {
  return { name: old, table: null, change: "renamed", renamedTo: now };
}

function dropped(old: string): Statement {
  return { name: old, table: null, change: "removed", renamedTo: null };
}
