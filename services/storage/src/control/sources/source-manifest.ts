import { createHash } from "node:crypto";
import type { SourceFileEntry } from "@whence/protocol";
import { type Kysely, sql, type Transaction } from "kysely";
import { z } from "zod";
import type { ControlTables } from "../tables.ts";
import { pack, unpack } from "./packed-text.ts";

/** What a row of uploaded sources takes besides its own text: its keys, digests and times, and its entries in indexes. */
export const sourceRowBytes = 512;

/** Rows changed by one statement, whose parameters are bounded. */
const rowsAtOnce = 500;

const entriesSchema = z.array(z.tuple([z.string(), z.string()]));

/** A list of files in its one form: in the order of the paths, whatever order it came in. */
export interface SourceManifest {
  readonly sha256: string;
  readonly files: number;
  /** Compressed. */
  readonly text: Uint8Array;
}

/** Equal lists of files make equal manifests. */
export async function toManifest(files: readonly SourceFileEntry[]): Promise<SourceManifest> {
  const inOrder = files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const text = JSON.stringify(inOrder.map(({ path, sha256 }) => [path, sha256]));
  const sha256 = createHash("sha256").update(text, "utf8").digest("hex");
  return { sha256, files: files.length, text: await pack(text) };
}

/** The files of a stored manifest, in the order of their paths. */
export async function filesOf(manifest: Uint8Array): Promise<readonly SourceFileEntry[]> {
  const entries = entriesSchema.parse(JSON.parse(await unpack(manifest)));
  return entries.map(([path, sha256]) => ({ path, sha256 }));
}

/** Stores a manifest of texts that are all stored, `contents` with what each takes, unless the scope has it already. */
export async function storeManifest(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { sha256, files, text }: SourceManifest,
  contents: ReadonlyMap<string, number>,
): Promise<void> {
  const content_bytes = [...contents.values()].reduce((sum, bytes) => sum + bytes, 0);
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto("source_manifest")
    .values({ scope_id: scopeId, sha256, files, bytes: text.length + sourceRowBytes, content_bytes, text })
    .onConflict((on) => on.columns(["scope_id", "sha256"]).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) await countManifest(transaction, scopeId, contents.keys(), 1);
}

/** Removes the manifests that no release has. Their texts stay until the sweep, for an upload that needs them again. */
export async function removeUnlisted(transaction: Transaction<ControlTables>, scopeId: string): Promise<void> {
  const unlisted = await transaction
    .selectFrom("source_manifest")
    .select(["sha256", "text"])
    .where("scope_id", "=", scopeId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("source_bundle")
            .select("source_bundle.release")
            .whereRef("source_bundle.scope_id", "=", "source_manifest.scope_id")
            .whereRef("source_bundle.manifest", "=", "source_manifest.sha256"),
        ),
      ),
    )
    .execute();
  for (const { sha256, text } of unlisted) {
    const digests = new Set((await filesOf(text)).map((file) => file.sha256));
    await countManifest(transaction, scopeId, digests, -1);
    await transaction
      .deleteFrom("source_manifest")
      .where("scope_id", "=", scopeId)
      .where("sha256", "=", sha256)
      .execute();
  }
}

/** Notes that one manifest more, or less, has these texts. */
async function countManifest(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  sha256s: Iterable<string>,
  change: 1 | -1,
): Promise<void> {
  for (const some of chunks([...sha256s].sort())) {
    await transaction
      .updateTable("source_content")
      .set({ manifests: sql`manifests + ${sql.lit(change)}` })
      .where("scope_id", "=", scopeId)
      .where("sha256", "in", some)
      .execute();
  }
}

/** What the uploaded sources of a scope take of the disk: texts, manifests, and releases. */
export async function storedSourceBytes(
  db: Pick<Kysely<ControlTables>, "selectFrom">,
  scopeId: string,
): Promise<number> {
  const tables = ["source_content", "source_manifest", "source_bundle", "artifact_chunk"] as const;
  let total = 0;
  for (const table of tables) {
    const { bytes } = await db
      .selectFrom(table)
      .select(sql<number | string>`coalesce(sum(bytes), 0)`.as("bytes"))
      .where("scope_id", "=", scopeId)
      .executeTakeFirstOrThrow();
    total += Number(bytes);
  }
  return total;
}

/** The items, as many at a time as one statement takes. */
export function chunks<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += rowsAtOnce) parts.push(items.slice(from, from + rowsAtOnce));
  return parts;
}
