import { createHash } from "node:crypto";
import type { SourceFileEntry } from "@whence/protocol";
import { limits, releaseNames } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { z } from "zod";
import { inTransaction } from "../databases/in-transaction.ts";
import { holdOrganization } from "../incidents/input-room.ts";
import type { ControlTables } from "../tables.ts";
import type { ReleaseName, SentSourceRepository, SentSources, SourceRoom, WantedSources } from "./source-db.ts";
import { toManifest } from "./source-manifest.ts";
import { NoSourceRoom, putBundle, sourceRepository, storedSources } from "./source-repository.ts";

/** How often the investigations of one incident ask for files. */
const roundsMax = 3;
/** Releases of an organization whose failing stacks ask for files within a day: a client may name any. */
const releasesMax = 500;
/** Incidents that ask for files of one release at the same time. */
const incidentsMax = 100;

const pathsSchema = z.array(z.string());
const roundsSchema = z.record(z.string(), z.number());

/** The row that says what is wanted of a release. */
interface Wanted {
  readonly paths: readonly string[];
  /** By the incident's id. */
  readonly rounds: Readonly<Record<string, number>>;
}

/** {@link SentSourceRepository} of one scope. */
export function sentSourceRepository(db: Kysely<ControlTables>, scopeId: string): SentSourceRepository {
  return {
    want: (wanted) => inTransaction(db, (transaction) => want(transaction, scopeId, wanted)),
    async wantFirst(wanted) {
      if (await hasCode(db, scopeId, wanted)) return;
      await inTransaction(db, (transaction) => wantFirst(transaction, scopeId, wanted));
    },
    async wanted(of, since) {
      return (await readWanted(db, scopeId, of, since))?.paths ?? [];
    },
    async add(sent, room) {
      if (!(await readWanted(db, scopeId, sent, sent.wantedSince))) return 0;
      const texts = sent.files.map(({ text }) => text);
      if (!(await sourceRepository(db, scopeId).addContents(texts, room.bytesMax, sent.now))) return 0;
      try {
        return await inTransaction(db, (transaction) => add(transaction, scopeId, sent, room));
      } catch (error) {
        if (error instanceof NoSourceRoom) return 0;
        throw error;
      }
    },
    files: (of) => sentFiles(db, scopeId, of),
  };
}

async function want(transaction: Transaction<ControlTables>, scopeId: string, wanted: WantedSources): Promise<void> {
  await holdOrganization(transaction, scopeId);
  const known = await readWanted(transaction, scopeId, wanted);
  const rounds = known?.rounds ?? {};
  const round = (rounds[wanted.incidentId] ?? 0) + 1;
  if (round > roundsMax) return;
  const asking = Object.entries({ ...rounds, [wanted.incidentId]: round }).slice(-incidentsMax);
  // An investigation knows better than a stack which files it lacks.
  const paths = [...wanted.paths, ...(known?.paths ?? [])];
  await note(transaction, scopeId, wanted, { paths, rounds: Object.fromEntries(asking) });
}

async function wantFirst(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  wanted: Omit<WantedSources, "incidentId">,
): Promise<void> {
  await holdOrganization(transaction, scopeId);
  const known = await readWanted(transaction, scopeId, wanted);
  if (!known && (await releasesAsked(transaction, scopeId, wanted.now)) >= releasesMax) return;
  const paths = [...(known?.paths ?? []), ...wanted.paths];
  await note(transaction, scopeId, wanted, { paths, rounds: known?.rounds ?? {} });
}

/** Returns how many releases' files were asked for in the last day. */
async function releasesAsked(db: Pick<Kysely<ControlTables>, "selectFrom">, scopeId: string, now: Date) {
  const { asked } = await db
    .selectFrom("wanted_source")
    .select((row) => row.fn.countAll().as("asked"))
    .where("scope_id", "=", scopeId)
    .where("asked_at", ">=", new Date(now.getTime() - limits.filesWantedMs).toISOString())
    .executeTakeFirstOrThrow();
  return Number(asked);
}

/** Whether files of the release are stored: uploaded, or sent by one of its processes. */
async function hasCode(db: Kysely<ControlTables>, scopeId: string, { service, release }: ReleaseName) {
  const row = await db
    .selectFrom("source_bundle")
    .select("release")
    .where("scope_id", "=", scopeId)
    .where("service", "=", service)
    .where("release", "in", releaseNames(release))
    .executeTakeFirst();
  return row !== undefined;
}

/** Writes what is wanted of a release, up to a limit. */
async function note(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { service, release, now }: Pick<WantedSources, "service" | "release" | "now">,
  { paths, rounds }: Wanted,
): Promise<void> {
  const values = {
    paths_json: JSON.stringify([...new Set(paths)].slice(0, limits.wantedFilesMax)),
    rounds_json: JSON.stringify(rounds),
    asked_at: now.toISOString(),
  };
  await transaction
    .insertInto("wanted_source")
    .values({ scope_id: scopeId, service, release, ...values })
    .onConflict((on) => on.columns(["scope_id", "service", "release"]).doUpdateSet(values))
    .execute();
}

async function add(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  sent: SentSources,
  room: SourceRoom,
): Promise<number> {
  const { service, release, files, keyId, now } = sent;
  await holdOrganization(transaction, scopeId);
  const wanted = await readWanted(transaction, scopeId, sent);
  if (!wanted) return 0;
  const former = (await sentFiles(transaction, scopeId, sent))?.files ?? [];
  const all = new Map(former.map((file) => [file.path, file]));
  for (const file of files.map(toEntry)) {
    if (all.has(file.path) || all.size < limits.sentFilesPerReleaseMax) all.set(file.path, file);
  }
  const bundle = { service, release, origin: "sent", commit: null, files: [...all.values()], keyId, now } as const;
  const put = await putBundle(transaction, scopeId, bundle, await toManifest(bundle.files), room);
  if (put.outcome !== "stored") return 0;
  const stored = files.filter(({ path }) => all.has(path));
  await forget(transaction, scopeId, { service, release }, wanted, stored);
  await refineSoon(transaction, scopeId, Object.keys(wanted.rounds), now);
  return stored.length;
}

function toEntry({ path, text }: SentSources["files"][number]): SourceFileEntry {
  return { path, sha256: createHash("sha256").update(text, "utf8").digest("hex") };
}

/** Forgets the wanted paths that the files answer: a stack names a file with its path on the machine. */
async function forget(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { service, release }: ReleaseName,
  { paths }: Wanted,
  stored: SentSources["files"],
): Promise<void> {
  const isAnswered = (wanted: string): boolean =>
    wanted === "." || stored.some(({ path }) => wanted === path || wanted.replaceAll("\\", "/").endsWith(`/${path}`));
  await transaction
    .updateTable("wanted_source")
    .set({ paths_json: JSON.stringify(paths.filter((path) => !isAnswered(path))) })
    .where("scope_id", "=", scopeId)
    .where("service", "=", service)
    .where("release", "=", release)
    .execute();
}

/** Has the reports of incidents refined now, even if they were final, or once they are written. */
async function refineSoon(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  incidentIds: readonly string[],
  now: Date,
): Promise<void> {
  if (incidentIds.length === 0) return;
  await transaction
    .updateTable("incident")
    .set({ refine_at: now.toISOString() })
    .where("scope_id", "=", scopeId)
    .where("id", "in", incidentIds)
    .where("status", "in", ["completed", "investigating"])
    .execute();
}

async function readWanted(
  db: Pick<Kysely<ControlTables>, "selectFrom">,
  scopeId: string,
  { service, release }: ReleaseName,
  since = new Date(0),
): Promise<Wanted | null> {
  const row = await db
    .selectFrom("wanted_source")
    .select(["paths_json", "rounds_json"])
    .where("scope_id", "=", scopeId)
    .where("service", "=", service)
    .where("release", "=", release)
    .where("asked_at", ">=", since.toISOString())
    .executeTakeFirst();
  if (!row) return null;
  return {
    paths: pathsSchema.parse(JSON.parse(row.paths_json)),
    rounds: roundsSchema.parse(JSON.parse(row.rounds_json)),
  };
}

function sentFiles(db: Pick<Kysely<ControlTables>, "selectFrom">, scopeId: string, { service, release }: ReleaseName) {
  return storedSources(db, scopeId, { service, release, origin: "sent" });
}
