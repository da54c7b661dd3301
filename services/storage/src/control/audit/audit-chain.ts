import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { AuditEntryTable, ControlTables } from "../tables.ts";
import { isSealedText } from "./erasable-text.ts";

/** What an entry says; its place and its hash follow from the entries before. */
type UnchainedEntry = Omit<AuditEntryTable, "seq" | "hash">;

/** The hash before the first entry. */
const noHash = "";

/**
 * Appends an entry to its organization's chain. Locks the head's row first, which serializes the entries of an
 * organization across processes.
 */
export async function appendEntry(transaction: Transaction<ControlTables>, entry: UnchainedEntry): Promise<void> {
  const head = await transaction
    .insertInto("audit_head")
    .values({ scope_id: entry.scope_id, seq: 0, hash: noHash })
    .onConflict((conflict) => conflict.column("scope_id").doUpdateSet(({ ref }) => ({ seq: ref("audit_head.seq") })))
    .returning(["seq", "hash"])
    .executeTakeFirstOrThrow();
  const seq = head.seq + 1;
  const hash = hashOf(head.hash, { ...entry, seq });
  await transaction
    .insertInto("audit_entry")
    .values({ ...entry, seq, hash })
    .execute();
  await transaction.updateTable("audit_head").set({ seq, hash }).where("scope_id", "=", entry.scope_id).execute();
}

/** The first entry at which an organization's audit log was tampered with. */
export interface AuditFault {
  readonly kind: "changed" | "removed" | "inserted";
  /** The entry's number, 1 for the first. */
  readonly seq: number;
  /** Null for an entry that is gone. */
  readonly entryId: string | null;
}

export interface AuditVerdict {
  readonly organizationId: string;
  readonly entries: number;
  /** The hash of the last entry. Kept elsewhere, it shows later whether the chain still contains it. */
  readonly head: string;
  /** Null: every entry is as it was written. */
  readonly fault: AuditFault | null;
}

const entriesAtOnce = 1_000;

/** Verifies the chains of all organizations, while other processes may write. */
export async function verifyChains(db: Kysely<ControlTables>): Promise<AuditVerdict[]> {
  const scopes = await db
    .selectFrom("audit_head")
    .select("scope_id")
    .union(db.selectFrom("audit_entry").select("scope_id"))
    .orderBy("scope_id")
    .execute();
  const verdicts: AuditVerdict[] = [];
  for (const { scope_id: organizationId } of scopes) verdicts.push(await verifyChain(db, organizationId));
  return verdicts;
}

/** Those of the earlier heads that no chain contains. */
export async function missingHeads(db: Kysely<ControlTables>, heads: readonly string[]): Promise<string[]> {
  if (heads.length === 0) return [];
  const rows = await db.selectFrom("audit_entry").select("hash").where("hash", "in", heads).execute();
  const found = new Set(rows.map(({ hash }) => hash));
  return heads.filter((head) => !found.has(head));
}

async function verifyChain(db: Kysely<ControlTables>, organizationId: string): Promise<AuditVerdict> {
  const head = await readHead(db, organizationId);
  const fault = (await faultUpTo(db, organizationId, head)) ?? (await faultBeyond(db, organizationId, head.seq));
  return { organizationId, entries: head.seq, head: head.hash, fault };
}

interface Head {
  readonly seq: number;
  readonly hash: string;
}

async function readHead(db: Kysely<ControlTables>, organizationId: string): Promise<Head> {
  const head = await db
    .selectFrom("audit_head")
    .select(["seq", "hash"])
    .where("scope_id", "=", organizationId)
    .executeTakeFirst();
  return head ?? { seq: 0, hash: noHash };
}

async function faultUpTo(db: Kysely<ControlTables>, scopeId: string, head: Head): Promise<AuditFault | null> {
  let last: Head & { readonly id: string } = { seq: 0, hash: noHash, id: "" };
  for await (const entry of entriesUpTo(db, scopeId, head.seq)) {
    const { seq, id: entryId } = entry;
    if (seq > last.seq + 1) return { kind: "removed", seq: last.seq + 1, entryId: null };
    if (seq <= last.seq) return { kind: "inserted", seq, entryId };
    if (!isAsWritten(last.hash, entry)) return { kind: "changed", seq, entryId };
    last = entry;
  }
  if (last.seq < head.seq) return { kind: "removed", seq: last.seq + 1, entryId: null };
  return last.hash === head.hash ? null : { kind: "changed", seq: last.seq, entryId: last.id };
}

/** A fault beyond the head that was read: an entry appended since has moved the head too, an inserted one hasn't. */
async function faultBeyond(db: Kysely<ControlTables>, scopeId: string, seq: number): Promise<AuditFault | null> {
  const newest = await db
    .selectFrom("audit_entry")
    .select("seq")
    .where("scope_id", "=", scopeId)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!newest || newest.seq <= seq) return null;
  const head = await readHead(db, scopeId);
  if (newest.seq <= head.seq) return null;
  const first = await db
    .selectFrom("audit_entry")
    .select(["id", "seq"])
    .where("scope_id", "=", scopeId)
    .where("seq", ">", head.seq)
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  return first ? { kind: "inserted", seq: first.seq, entryId: first.id } : null;
}

async function* entriesUpTo(db: Kysely<ControlTables>, scopeId: string, seq: number): AsyncGenerator<AuditEntryTable> {
  let offset = 0;
  for (;;) {
    const page = await db
      .selectFrom("audit_entry")
      .selectAll()
      .where("scope_id", "=", scopeId)
      .where("seq", "<=", seq)
      .orderBy("seq")
      .orderBy("id")
      .limit(entriesAtOnce)
      .offset(offset)
      .execute();
    yield* page;
    if (page.length < entriesAtOnce) return;
    offset += page.length;
  }
}

function isAsWritten(previous: string, entry: AuditEntryTable): boolean {
  const { user_name, user_name_salt, user_name_digest, target, target_salt, target_digest } = entry;
  return (
    isSealedText(user_name, { salt: user_name_salt, digest: user_name_digest }) &&
    isSealedText(target, { salt: target_salt, digest: target_digest }) &&
    hashOf(previous, entry) === entry.hash
  );
}

function hashOf(previous: string, entry: UnchainedEntry & { readonly seq: number }): string {
  const { scope_id, seq, id, at, user_id, user_name_digest, action, target_digest } = entry;
  const said = JSON.stringify([previous, scope_id, seq, id, at, user_id, user_name_digest, action, target_digest]);
  return createHash("sha256").update(said).digest("hex");
}
