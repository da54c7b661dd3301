import { type CodeNode, functionNodesMax, walk } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { refusedColumns } from "../follow/named-columns.ts";
import { columnsOf, queriesIn } from "../follow/sql-calls.ts";
import { placeAt, type Trail } from "../follow/trail.ts";

const text = /^(?:TEXT|VARCHAR|CHAR|CHARACTER|NVARCHAR|CLOB|STRING)$/;
/** Calls that make a number of a text. */
const numbering: ReadonlySet<string> = new Set("int Number parseInt parseFloat float Decimal".split(" "));
/** Code that makes all numbers equally long. */
const padded = /\bzfill\b|\bpadStart\b|\brjust\b|:0\d|%0\d|\bLPAD\b|\bprintf\b/i;

/**
 * Notes where the last number of a column is taken in the order of texts, if the error says that a value of this column
 * exists already.
 */
export function findTextOrders({ codebase, chain }: Failure, trail: Trail): void {
  for (const { exception } of chain) {
    const refused = refusedColumns(exception);
    if (!refused?.isDuplicate || isPadded(trail)) continue;
    for (const program of codebase.near()) {
      for (const { call, query, statement } of queriesIn(program)) {
        const read = query.columns[0];
        if (!read || !refused.columns.includes(read.column) || query.table !== (refused.table ?? query.table)) continue;
        const how = /^(?:MAX|MIN)$/.test(read.aggregate ?? "") ? "maximum" : lastOf(statement, read.column);
        const type = how && columnsOf(codebase, query.table).find(({ name }) => name === read.column)?.type;
        if (!how || !type || !text.test(type) || !isNumbered(program, call)) continue;
        const args = { column: `${query.table}.${read.column}`, type, how } as const;
        trail.add({ kind: "text-order", args }, placeAt(program, call), trail.first, 1);
        return;
      }
    }
  }
}

/** Returns `order` for a query of the last row in the order of a column, as it is stored. */
function lastOf(statement: string, column: string): "order" | null {
  const [, by] = /\bORDER\s+BY\s+(?:\w{1,80}\.)?["`]?(\w{1,80})["`]?\s+DESC\s+LIMIT\s+1\b/i.exec(statement) ?? [];
  return by?.toLowerCase() === column ? "order" : null;
}

/** Returns whether the code through which the refused value went makes all numbers equally long. */
function isPadded(trail: Trail): boolean {
  return trail.signals().some(({ subject }) => padded.test(subject.source.line(subject.line)));
}

/** Returns whether the function around a query makes a number of what it reads, and doesn't pad what it makes. */
function isNumbered({ source }: Program, { owner }: CodeNode): boolean {
  if (!owner || padded.test(source.text.slice(owner.start, owner.end))) return false;
  return [...walk(owner, functionNodesMax)].some(({ kind, name }) => kind === "call" && numbering.has(name ?? ""));
}
