import { observedSchema, processExitSchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { type PackedText, packText, unpack } from "../sources/packed-text.ts";
import type { ControlTables } from "../tables.ts";
import type { IncidentInput, NewIncident } from "./incident-db.ts";

/** An input as it is stored. */
export interface PackedInput {
  readonly kind: IncidentInput["kind"];
  readonly eventId: string | null;
  readonly exit: string | null;
  readonly errorLog: Uint8Array | null;
  readonly files: PackedText["files"];
  readonly observed: PackedText["observed"];
  /** The stored size of texts and names, in bytes. */
  readonly bytes: number;
}

const withoutText = { eventId: null, exit: null, errorLog: null, files: [], observed: null, bytes: 0 } as const;

/** What an investigation starts from, compressed before a transaction begins. */
export async function packInput(input: NewIncident["input"]): Promise<PackedInput> {
  if (input.kind === "event") return { ...withoutText, kind: "event", eventId: input.eventId };
  if (input.kind === "process-exit") return { ...withoutText, kind: "process-exit", exit: JSON.stringify(input.exit) };
  const packed = input.kind === "text" ? await packText(input.errorLog, input.files, input.observed) : input;
  return { ...withoutText, ...packed, kind: "text" };
}

/** Stores a packed input with its incident. */
export async function writeInput(
  transaction: Transaction<ControlTables>,
  id: string,
  { kind, eventId, exit, errorLog, files, observed }: PackedInput,
): Promise<void> {
  await transaction
    .insertInto("incident_input")
    .values({
      incident_id: id,
      kind,
      event_id: eventId,
      error_log: errorLog,
      exit_json: exit,
      observed_json: observed,
    })
    .execute();
  for (const [position, { name, content }] of files.entries()) {
    await transaction.insertInto("incident_file").values({ incident_id: id, position, name, content }).execute();
  }
}

/** The input of an investigation; null when it was removed. */
export async function readInput(db: Kysely<ControlTables>, id: string): Promise<IncidentInput | null> {
  const input = await db
    .selectFrom("incident_input")
    .selectAll()
    .where("incident_id", "=", id)
    .executeTakeFirstOrThrow();
  if (input.event_id !== null) return { kind: "event", eventId: input.event_id };
  if (input.exit_json !== null) {
    return { kind: "process-exit", exit: processExitSchema.parse(JSON.parse(input.exit_json)) };
  }
  if (input.error_log === null) return null;
  const files = await db
    .selectFrom("incident_file")
    .select(["name", "content"])
    .where("incident_id", "=", id)
    .orderBy("position")
    .execute();
  return {
    kind: "text",
    errorLog: await unpack(input.error_log),
    files: await Promise.all(files.map(async ({ name, content }) => ({ name, content: await unpack(content) }))),
    ...(input.observed_json !== null && { observed: observedSchema.parse(JSON.parse(input.observed_json)) }),
  };
}

/** Removes texts and files, and leaves the incident and its report. */
export async function removeInputs(transaction: Transaction<ControlTables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction.deleteFrom("incident_file").where("incident_id", "in", ids).execute();
  await transaction
    .updateTable("incident_input")
    .set({ error_log: null, observed_json: null })
    .where("incident_id", "in", ids)
    .execute();
  await transaction.updateTable("incident").set({ input_bytes: 0 }).where("id", "in", ids).execute();
}
