import type { Codebase } from "../code/codebase.ts";
import { mayBeKey } from "../code/constant-keys.ts";
import { argumentsOf, isNothing, plain } from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { anyKey, type Program } from "../code/program.ts";
import {
  type DeclaredColumn,
  declaredColumns,
  placeholdersIn,
  type ReadRow,
  rowRead,
  rowWritten,
  type WrittenColumn,
} from "../code/sql.ts";
import { constantOf, type Statement, statementOf } from "./sql-statements.ts";

/** A value that a call writes to a column, and the path to it in the code that is passed. */
export interface WrittenValue {
  readonly node: CodeNode;
  readonly path: readonly string[];
}

/** A call that writes a column of a table. */
export interface ColumnWrite {
  readonly program: Program;
  readonly call: CodeNode;
  readonly value: WrittenValue;
}

const writesMax = 4;
const inSql = /\b(?:SELECT|INSERT|REPLACE|UPDATE)\b/i;

/** Returns the query whose result a call returns: `db.execute("SELECT …")`, `db.prepare("SELECT …").all()`. */
export function queryOf(program: Program, call: CodeNode): ReadRow | null {
  const statement = statementOf(program, call);
  return statement && rowRead(statement.text);
}

/** A call that runs a query. */
export interface FoundQuery {
  readonly call: CodeNode;
  readonly query: ReadRow;
  readonly statement: string;
}

/** Returns the calls in a file that are given a query's text. */
export function queriesIn(program: Program): FoundQuery[] {
  return statementsIn(program).flatMap(({ call, statement }) => {
    const query = statement.call === call ? rowRead(statement.text) : null;
    return query ? [{ call, query, statement: statement.text }] : [];
  });
}

interface FoundStatement {
  readonly call: CodeNode;
  readonly statement: Statement;
}

const statementsOfPrograms = new WeakMap<Program, readonly FoundStatement[]>();

/** Returns the calls in a file that run a statement in SQL. */
function statementsIn(program: Program): readonly FoundStatement[] {
  const known = statementsOfPrograms.get(program);
  if (known) return known;
  const calls = inSql.test(program.source.text) ? [...program.calls.values()].flat() : [];
  const found = calls.flatMap((call) => {
    const statement = statementOf(program, call);
    return statement ? [{ call, statement }] : [];
  });
  statementsOfPrograms.set(program, found);
  return found;
}

/** Returns the value that a call writes to a column; null where it writes none, or its code doesn't show it. */
export function writtenBy(
  codebase: Codebase,
  program: Program,
  call: CodeNode,
  table: string | null,
  column: string,
): WrittenValue | null {
  const statement = statementOf(program, call);
  const row = statement && rowWritten(statement.text);
  if (!row || (table !== null && row.table !== table)) return null;
  const declared = row.columns.some(({ name }) => name === null) ? columnsOf(codebase, row.table) : [];
  const written = row.columns.find(({ name }, index) => (name ?? declared[index]?.name) === column);
  return written ? boundTo(program, call, statement, written) : null;
}

/** A call that sets a column of existing rows to nothing. */
export interface ClearingCall {
  readonly call: CodeNode;
  readonly table: string;
}

/** Returns the calls in a file that set a column of rows to nothing: `UPDATE … SET column = NULL`, or a bound `None`. */
export function callsClearing(codebase: Codebase, program: Program, column: string): ClearingCall[] {
  return statementsIn(program).flatMap(({ call, statement }) => {
    const row = /^\s*UPDATE\b/i.test(statement.text) ? rowWritten(statement.text) : null;
    const written = row?.columns.find(({ name }) => isNamed(codebase, program, statement, name, column));
    if (!row || !written) return [];
    const bound = boundTo(program, call, statement, written);
    const isCleared = /^NULL$/i.test(written.expression) || (bound && bound.path.length === 0 && isNothing(bound.node));
    return isCleared ? [{ call, table: row.table }] : [];
  });
}

/** Returns whether a written column is the one of a name, or has its name from a constant list with it. */
function isNamed(
  codebase: Codebase,
  program: Program,
  { holes }: Statement,
  written: string | null,
  column: string,
): boolean {
  const hole = holes[Number(/^["'`]?\$\{(\d{1,3})\}["'`]?$/.exec(written ?? "")?.[1] ?? -1)];
  return hole ? mayBeKey(codebase, program, hole, column) : written === column.toLowerCase();
}

/** Returns every value that the code writes to a column of a table, up to a few. */
export function columnWrites(codebase: Codebase, table: string, column: string): ColumnWrite[] {
  const found: ColumnWrite[] = [];
  for (const program of codebase.near()) {
    for (const { call } of statementsIn(program)) {
      // `db.prepare("INSERT …").run(value)` is one statement, and its outer call has the values.
      if (found.some((one) => one.program === program && one.call.start === call.start)) continue;
      const value = writtenBy(codebase, program, call, table, column);
      if (value) found.push({ program, call, value });
      if (found.length === writesMax) return found;
    }
  }
  return found;
}

const tablesOfCodebases = new WeakMap<Codebase, Map<string, DeclaredColumn[]>>();

/** Returns the columns of a table in the order in which any given file declares them. */
export function columnsOf(codebase: Codebase, table: string): DeclaredColumn[] {
  const tables = tablesOfCodebases.get(codebase) ?? new Map<string, DeclaredColumn[]>();
  tablesOfCodebases.set(codebase, tables);
  const known = tables.get(table);
  if (known) return known;
  const declaring = codebase.files.all.filter(({ text }) => /\bCREATE\s+TABLE\b/i.test(text));
  const declared =
    declaring.map(({ text }) => declaredColumns(joined(text), table)).find(({ length }) => length > 0) ?? [];
  tables.set(table, declared);
  return declared;
}

/** Joins string literals that follow each other. */
function joined(text: string): string {
  return text.replace(/"[ \t]{0,20}\+?\n\s{0,80}"/g, "");
}

/** Returns the value that is bound to a column's expression, or put into the text there. */
function boundTo(
  program: Program,
  call: CodeNode,
  { text, holes, call: prepared }: Statement,
  { expression, placeholdersBefore }: WrittenColumn,
): WrittenValue | null {
  const hole = holes[Number(/\$\{(\d{1,3})\}/.exec(expression)?.[1] ?? -1)];
  if (hole) return { node: hole, path: [] };
  const given = argumentsOf(call).map(({ value }) => value);
  const bound = call === prepared ? given.slice(1) : given;
  const [first] = bound;
  if (!first) return null;
  const key = keyIn(expression) ?? indexIn(expression, placeholdersBefore);
  if (key === null) return null;
  const path = call.name === "executemany" ? [anyKey, key] : [key];
  const values = constantOf(program, plain(first));
  if (path.length > 1 || values.kind === "object" || values.kind === "list") return partOf(values, path);
  const isAlone = bound.length === 1 && (keyIn(expression) !== null || placeholdersIn(text) > 1);
  const value = isAlone ? null : bound[Number(key)];
  if (isAlone) return { node: values, path };
  return value && value.kind !== "spread" ? { node: value, path: [] } : null;
}

/** Returns what is under a path of what is passed: the element or the entry itself where the code shows it. */
function partOf(values: CodeNode, path: readonly string[]): WrittenValue | null {
  const [key = ""] = path;
  if (path.length > 1) return { node: values, path };
  const entry = values.kind === "object" ? values.children.find((one) => one.name === key) : undefined;
  const element = values.kind === "list" ? values.children[Number(key)] : entry && part(entry, "value");
  if (element && element.kind !== "spread") return { node: element, path: [] };
  return values.children.some(({ kind }) => kind === "spread") ? { node: values, path } : null;
}

/** Returns the name of a bound value: `:name`, `@name`, `%(name)s`. */
function keyIn(expression: string): string | null {
  const found = /(?<![\w:])[:@$]([A-Za-z_]\w{0,80})|%\((\w{1,80})\)s/.exec(expression);
  return found?.[1] ?? found?.[2] ?? null;
}

/** Returns the position of a bound value: `?`, `?2`, `$2`, `%s`. */
function indexIn(expression: string, placeholdersBefore: number): string | null {
  const numbered = /[$?](\d{1,3})/.exec(expression)?.[1];
  if (numbered !== undefined) return String(Number(numbered) - 1);
  return placeholdersIn(expression) > 0 ? String(placeholdersBefore) : null;
}
