/** What a statement in SQL writes to each column of a table. */
export interface WrittenRow {
  readonly table: string;
  /** The expressions by column; by position where the statement doesn't name its columns. */
  readonly columns: readonly WrittenColumn[];
}

export interface WrittenColumn {
  /** Null where the statement only gives a position; `${number}` where the name is put into the text. */
  readonly name: string | null;
  /** The expression in SQL. */
  readonly expression: string;
  /** How many `?` or `%s` of the statement precede it. */
  readonly placeholdersBefore: number;
}

/** What a query reads, and from which table. */
export interface ReadRow {
  readonly table: string;
  readonly columns: readonly ReadColumn[];
}

export interface ReadColumn {
  /** The name in the result. */
  readonly name: string;
  /** The column of the table; `*` for all of them. */
  readonly column: string;
  /** The function that makes one value of those of all rows, in capitals; null without one. */
  readonly aggregate: string | null;
}

/** A column that `CREATE TABLE` declares, and its type in capitals. */
export interface DeclaredColumn {
  readonly name: string;
  readonly type: string;
}

/** Longest statement that is read. */
const statementUnitsMax = 4_000;
const columnsMax = 100;
const name = String.raw`["'\`[]?(?:\w{1,80}["'\`\]]?\.["'\`[]?)?(\w{1,80})["'\`\]]?`;
const insertStart = new RegExp(
  String.raw`^\s*(?:INSERT(?:\s+OR\s+\w{1,20}|\s+IGNORE)?|REPLACE)\s+INTO\s+${name}\s*`,
  "i",
);
const valuesStart = /^\s*VALUES\s*\(/i;
const updateStart = new RegExp(String.raw`^\s*UPDATE\s+${name}\s+SET\s+`, "i");
const updateEnd = /\b(?:WHERE|FROM|RETURNING|ORDER\s+BY)\b/i;
const queryStart = /^\s*SELECT\s+(?:DISTINCT\s+)?/i;
const tableAfter = new RegExp(String.raw`\bFROM\s+${name}`, "i");
const aggregated = /\b(MAX|MIN|SUM|AVG|TOTAL)\s*\(\s*(?:\w{1,80}\.)?["`]?(\w{1,80})["`]?\s*\)/i;
const declaration = new RegExp(String.raw`\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?${name}\s*\(`, "gi");
const constraint = /^(?:PRIMARY|UNIQUE|CONSTRAINT|FOREIGN|CHECK|KEY|INDEX|EXCLUDE)$/i;

/** Returns what a statement writes; null for one that writes no row whose values it shows. */
export function rowWritten(statement: string): WrittenRow | null {
  const text = statement.slice(0, statementUnitsMax);
  return inserted(text) ?? updated(text);
}

function inserted(text: string): WrittenRow | null {
  const start = insertStart.exec(text);
  if (!start?.[1]) return null;
  const listed = text[start[0].length] === "(" ? parenthesized(text, start[0].length) : null;
  const rest = text.slice(listed?.end ?? start[0].length);
  const values = valuesStart.exec(rest);
  const given = values && parenthesized(rest, values[0].length - 1);
  if (!given) return null;
  const names = listed ? splitList(listed.inner).map(bareName) : [];
  let placeholdersBefore = 0;
  const columns = splitList(given.inner).map((expression, index) => {
    const column = { name: names[index] ?? null, expression, placeholdersBefore };
    placeholdersBefore += placeholdersIn(expression);
    return column;
  });
  return { table: lower(start[1]), columns };
}

function updated(text: string): WrittenRow | null {
  const start = updateStart.exec(text);
  if (!start?.[1]) return null;
  const rest = text.slice(start[0].length);
  const set = rest.slice(0, updateEnd.exec(rest)?.index ?? rest.length);
  let placeholdersBefore = 0;
  const columns = splitList(set).flatMap((item) => {
    const at = item.indexOf("=");
    const target = item.slice(0, at).trim();
    // A name that is put into the text stays as it is written there.
    const name = bareName(target) || target;
    const column = { name, expression: item.slice(at + 1).trim(), placeholdersBefore };
    placeholdersBefore += placeholdersIn(item);
    return at > 0 ? [column] : [];
  });
  return { table: lower(start[1]), columns };
}

/** Returns what a query reads from its first table; null for a text that is no query. */
export function rowRead(statement: string): ReadRow | null {
  const text = statement.slice(0, statementUnitsMax);
  const start = queryStart.exec(text);
  const from = start && tableAfter.exec(text);
  if (!start || !from?.[1]) return null;
  return { table: lower(from[1]), columns: splitList(text.slice(start[0].length, from.index)).map(readColumn) };
}

function readColumn(item: string): ReadColumn {
  const [, called, of] = aggregated.exec(item) ?? [];
  const [, expression = item, alias] = /^(.{1,300}?)\s+AS\s+["`]?(\w{1,80})["`]?$/is.exec(item) ?? [];
  const column = of ?? bareName(expression);
  return {
    name: lower(alias ?? column),
    column: lower(column),
    aggregate: called === undefined ? null : called.toUpperCase(),
  };
}

/** Returns the columns of a table as a text declares them; empty when it doesn't. */
export function declaredColumns(text: string, table: string): DeclaredColumn[] {
  for (const found of text.matchAll(declaration)) {
    if (lower(found[1] ?? "") !== table) continue;
    const list = parenthesized(text.slice(0, found.index + statementUnitsMax), found.index + found[0].length - 1);
    return splitList(list?.inner ?? "").flatMap((item) => {
      const [, column = "", type = ""] = /^["`[]?(\w{1,80})["`\]]?(?:\s+(\w{1,40}))?/.exec(item) ?? [];
      return column === "" || constraint.test(column) ? [] : [{ name: lower(column), type: type.toUpperCase() }];
    });
  }
  return [];
}

/** Returns the texts of a list in SQL, split at the commas that are in no parentheses and no quotes. */
function splitList(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let at = 0; at < text.length && items.length < columnsMax; at++) {
    const unit = text.charAt(at);
    if (quote !== "") quote = unit === quote ? "" : quote;
    else if (unit === "'") quote = unit;
    else if (unit === "(") depth++;
    else if (unit === ")") depth--;
    else if (unit === "," && depth === 0) {
      items.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...items, text.slice(start).trim()].filter((item) => item !== "");
}

/** Returns what is between the parenthesis at a position and the one that closes it; null where none does. */
function parenthesized(text: string, open: number): { inner: string; end: number } | null {
  let depth = 0;
  let quote = "";
  for (let at = open; at < text.length; at++) {
    const unit = text.charAt(at);
    if (quote !== "") quote = unit === quote ? "" : quote;
    else if (unit === "'") quote = unit;
    else if (unit === "(") depth++;
    else if (unit === ")" && --depth === 0) return { inner: text.slice(open + 1, at), end: at + 1 };
  }
  return null;
}

/** Returns how many `?` and `%s` a text in SQL has. */
export function placeholdersIn(expression: string): number {
  return expression.replace(/'[^']*'/g, "").match(/\?(?!\d)|%s/g)?.length ?? 0;
}

/** Returns a column without its table and its quotes. */
function bareName(text: string): string {
  return lower(/["'`[]?([\w*]{1,80})["'`\]]?\s*$/.exec(text.trim())?.[1] ?? "");
}

function lower(text: string): string {
  return text.toLowerCase();
}
