import { schemaChanges } from "../../changes/schema-changes.ts";
import type { CodeSignal } from "../../signals/signal.ts";
import type { SourceText } from "../../source/source-text.ts";
import { wordsOfName } from "../../words/name-words.ts";
import { saidBy } from "../../words/thrown.ts";
import type { Codebase } from "../code/codebase.ts";
import type { Failure } from "../failure.ts";
import { queriesIn } from "../follow/sql-calls.ts";
import type { Trail } from "../follow/trail.ts";

/** What an error says about a value that isn't there. */
const absent = /undefined|\bnull\b|\bNone|KeyError|NaN|\bnil\b|missing|required|empty/i;
/** Words of migrations of columns, in SQL and in those of libraries. */
const ofColumns = /column|\bRENAME\b|RenameField|RemoveField/i;

/** A column that a migration took away. */
interface Removed {
  readonly column: string;
  /** Its new name; null where it was dropped. */
  readonly to: string | null;
  /** The table; null when the migration doesn't say it. */
  readonly table: string | null;
  readonly source: SourceText;
}

/** Notes where code reads a column that a migration renamed or dropped, if the value that was missing comes from there. */
export function findRenamedColumns({ codebase, chain }: Failure, trail: Trail): void {
  if (!chain.some(({ exception }) => absent.test(saidBy(exception)))) return;
  const reads = trail.signals().filter(isRead);
  if (reads.length === 0) return;
  const removed = codebase.files.all.flatMap(removedIn);
  const found = reads.flatMap((read) => {
    const column = columnOf(read.args);
    const of = removed.find((one) => one.column === column && one.source.name !== read.subject.file);
    return of && !isBack(codebase, removed, of) && !isOfOtherTable(codebase, of) ? [{ read, of }] : [];
  });
  const farthest = found.toSorted((left, right) => right.read.steps - left.read.steps)[0];
  if (!farthest) return;
  const { read, of } = farthest;
  const args = { code: read.args.code, column: of.column, to: of.to, migration: of.source.name };
  trail.add({ kind: "renamed-column", args }, read.subject, null);
}

type Read = CodeSignal<"value-step">;

function isRead(signal: ReturnType<Trail["signals"]>[number]): signal is Read {
  return signal.kind === "value-step" && columnOf(signal.args) !== null;
}

/** Names of a row of a table. */
const row = /^(?:row|record|result|rec|rs|data|r)$/i;
const fieldOf = /(\w+)\s*(?:\.(?:get\(\s*["'])?|\[\s*["'])(\w+)(?:["'][^"']*)?$/;

/** Returns the column in `row.country`, `row["country"]`, and `row.get("country")`. */
function columnOf({ code, how }: Read["args"]): string | null {
  const [, on = "", column = ""] = how === "property" || how === "lookup" ? (fieldOf.exec(code) ?? []) : [];
  return column !== "" && wordsOfName(on).some((word) => row.test(word)) ? column : null;
}

/** Returns whether the same or a later migration, by the names of their files, adds the column, or renames one to it. */
function isBack(codebase: Codebase, removed: readonly Removed[], { column, source }: Removed): boolean {
  const isSince = ({ name }: SourceText): boolean => name.localeCompare(source.name, "en", { numeric: true }) >= 0;
  if (removed.some((one) => one.to === column && isSince(one.source))) return true;
  const added = new RegExp(String.raw`\badd(?:(?!drop|rename)[^;\n]){0,80}["'\x60\s]${column}\b`, "i");
  return codebase.files.all.some((one) => isSince(one) && one.text.includes(column) && added.test(one.text));
}

/** Returns whether queries of the code are known, and none of them reads the table, or one gives a result the name. */
function isOfOtherTable(codebase: Codebase, { column, table }: Removed): boolean {
  const queries = codebase.near().flatMap((program) => queriesIn(program).map(({ query }) => query));
  if (queries.some(({ columns }) => columns.some((one) => one.name === column && one.column !== column))) return true;
  return table !== null && queries.length > 0 && !queries.some((query) => query.table === table.toLowerCase());
}

/** Prose quotes statements that never ran. */
const prose = /\.(?:md|mdx|rst|txt|adoc)$/i;

function removedIn(source: SourceText): Removed[] {
  if (prose.test(source.name) || !ofColumns.test(source.text)) return [];
  const hunk = { removed: [], added: source.text.split("\n"), from: 1, to: 1 };
  return schemaChanges([{ path: source.name, hunk }]).map(({ name: column, renamedTo: to, table }) => ({
    column,
    to,
    table,
    source,
  }));
}
