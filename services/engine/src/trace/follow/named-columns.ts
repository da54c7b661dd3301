import type { ParsedException } from "../../findings/parsed-error.ts";
import type { Codebase } from "../code/codebase.ts";
import { argumentsOf } from "../code/expressions.ts";
import type { CodeNode } from "../code/ir.ts";
import { part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { writtenBy } from "./sql-calls.ts";
import type { UsedValue } from "./throw-site.ts";
import { anything, nothing, type Wanted } from "./wanted.ts";

/** The columns whose values a database refused. */
export interface RefusedColumns {
  readonly table: string | null;
  /** In small letters. Where only the constraint is named, every name that it may stand for. */
  readonly columns: readonly string[];
  /** Whether a row with the same values exists; otherwise there was no value. */
  readonly isDuplicate: boolean;
}

const column = String.raw`["'\`]?(?:(\w{1,80})\.)?(\w{1,80})["'\`]?`;
const missing = new RegExp(
  `NOT NULL constraint failed: ${column}|null value in column ${column}|Column ${column} cannot be null`,
);
const unique = /UNIQUE constraint failed: ([\w., ]{1,300})/;
const postgresKey = /\bKey \(([\w", ]{1,300})\)=/;
const mysqlKey = /Duplicate entry '[^\n]{0,300}' for key '([\w.]{1,160})'/;
const constraintName = /duplicate key value violates unique constraint "(\w{1,160})"/;
const mongoKey = /E11000 [^\n]{0,300}dup key: \{ ?"?([\w.]{1,80})"?:/;

/** Returns the columns that a database's message names; null where it names none. */
export function refusedColumns({ message, properties }: ParsedException): RefusedColumns | null {
  const text = [message, properties.detail].join("\n");
  const absent = missing
    .exec(text)
    ?.slice(1)
    .filter((one) => one !== undefined);
  if (absent)
    return { table: absent.length > 1 ? lower(absent[0]) : null, columns: [lower(absent.at(-1))], isDuplicate: false };
  const listed = unique.exec(text)?.[1]?.split(",") ?? [];
  if (listed.length > 0) {
    const names = listed.map((one) => one.trim().split("."));
    const table = names[0]?.length === 2 ? lower(names[0][0]) : null;
    return { table, columns: names.map((one) => lower(one.at(-1))), isDuplicate: true };
  }
  const keys = (postgresKey.exec(text) ?? mongoKey.exec(text))?.[1]
    ?.split(",")
    .map((one) => lower(one.replaceAll('"', "").trim()));
  const isDuplicate = /duplicate key/i.test(text);
  if (keys && isDuplicate) return { table: null, columns: keys, isDuplicate };
  const name = (mysqlKey.exec(text) ?? constraintName.exec(text))?.[1];
  return name === undefined ? null : { table: null, columns: namesIn(name), isDuplicate: true };
}

/** Returns what a constraint may be named after: `orders_number_key` after `number`, `orders_number`, `number_key`, … */
function namesIn(constraint: string): string[] {
  const words = lower(constraint).split(/[._]/);
  return words.flatMap((_, start) => words.slice(start).map((__, at) => words.slice(start, start + at + 1).join("_")));
}

/** Returns the values that a call writes to the columns that the message names; null where it isn't known. */
export function refusedValues(
  codebase: Codebase,
  program: Program,
  call: CodeNode,
  error: ParsedException,
): UsedValue[] | null {
  const refused = refusedColumns(error);
  if (!refused) return null;
  const wanted: Wanted = refused.isDuplicate ? anything : nothing;
  const values = refused.columns.flatMap((name) => {
    const written = writtenBy(codebase, program, call, refused.table, name) ?? inDocument(call, name);
    return written ? [{ ...written, wanted }] : [];
  });
  return values.length > 0 ? values : null;
}

const storing: ReadonlySet<string> = new Set("insertOne insert_one save create insert updateOne update_one".split(" "));

/** Returns the value of a key of the document that a call stores. */
function inDocument(call: CodeNode, name: string): { node: CodeNode; path: readonly string[] } | null {
  if (!storing.has(call.name ?? "")) return null;
  const named = argumentsOf(call).find((one) => one.name?.toLowerCase() === name);
  if (named) return { node: named.value, path: [] };
  const document = argumentsOf(call)[0]?.value;
  const entry =
    document?.kind === "object" ? document.children.find((one) => one.name?.toLowerCase() === name) : undefined;
  const value = entry && part(entry, "value");
  return value ? { node: value, path: [] } : null;
}

function lower(text: string | undefined): string {
  return (text ?? "").toLowerCase();
}
