import type { CodeNode } from "../code/ir.ts";
import { anyKey } from "../code/program.ts";
import type { ReadColumn, ReadRow } from "../code/sql.ts";
import type { FollowedValue, Following } from "./following.ts";
import { columnWrites, queryOf } from "./sql-calls.ts";
import { anything } from "./wanted.ts";

/** Calls that return one row rather than several. */
const ofOneRow: ReadonlySet<string> = new Set(["fetchone", "one", "one_or_none", "first"]);
/** The list of rows in what a driver returns. */
const rows = "rows";

/** Follows what a query read from a column of a table to the statements that write the column. */
export function followColumn(tracer: Following, followed: FollowedValue, call: CodeNode): void {
  if (followed.path.length === 0) return;
  const query = queryOf(followed.program, call);
  const read = query && columnRead(query, followed.path, ofOneRow.has(call.name ?? ""));
  if (!query || !read) return;
  for (const { program, value } of columnWrites(tracer.codebase, query.table, read.column)) {
    const outer = { ...followed, program, frame: null, via: null };
    const inner = tracer.step(outer, value.node, "argument", `${query.table}.${read.column}`);
    const wanted = read.aggregate === null ? followed.wanted : anything;
    tracer.value({ ...inner, node: value.node, path: value.path, wanted });
  }
}

/** Returns the column under a path in the result of a query; null where the path leads to none. */
function columnRead({ columns }: ReadRow, path: readonly string[], isOneRow: boolean): ReadColumn | null {
  const inRows = path[0] === rows ? path.slice(1) : path;
  const isIndexed = inRows[0] === anyKey || /^\d+$/.test(inRows[0] ?? "");
  const [key] = isIndexed && !(isOneRow && inRows.length === 1) ? inRows.slice(1) : inRows;
  if (key === undefined || key === anyKey) return null;
  if (/^\d+$/.test(key)) return columns[Number(key)] ?? null;
  const wanted = key.toLowerCase();
  const named = columns.find(({ name }) => name === wanted);
  if (named) return named;
  return columns.some(({ column }) => column === "*") ? { name: wanted, column: wanted, aggregate: null } : null;
}
