import {
  type Batch,
  batchHeaderSchema,
  type TelemetryEvent,
  timestampSchema,
  validationErrors,
} from "@whence/protocol";
import { z } from "zod";

/** What the gateway puts on the queue for each batch: whose it is, when it came, and what was accepted of it. */
export interface BatchMessage {
  readonly scope_id: string;
  readonly received_at: string;
  /** How long its organization keeps it. Absent: as long as the service does. */
  readonly retention_days?: number | undefined;
  readonly batch: Batch;
}

/** The first line of a message. */
const headerSchema = z.object({
  scope_id: z.string().min(1),
  received_at: timestampSchema,
  retention_days: z.int().min(1).optional(),
  batch: batchHeaderSchema,
});
export type MessageHeader = z.infer<typeof headerSchema>;

/** A message read back. */
export interface ReadBatchMessage {
  readonly message: BatchMessage;
  /** The events as the texts that they are in it. */
  readonly eventTexts: readonly string[];
}

/** A message of the telemetry queue: its header in one line, and each event in one of its own. */
export function writeBatchMessage(header: MessageHeader, eventTexts: readonly string[]): string {
  return [JSON.stringify(header), ...eventTexts].join("\n");
}

/**
 * A message's body, read back; or why it can never be read. Its events are taken as they are: only the gateway writes
 * messages, and it has checked them.
 */
export function readBatchMessage(text: string): ReadBatchMessage | { readonly unreadable: string } {
  const [first = "", ...eventTexts] = text.split("\n");
  const body = parseJson(first);
  if (body === undefined) return { unreadable: "its first line is not JSON" };
  const header = headerSchema.safeParse(body);
  if (!header.success) {
    const [violation] = validationErrors(header.error.issues, body, "body");
    return { unreadable: `it is no batch: ${violation?.loc.join(".")}: ${violation?.msg}` };
  }
  const events: TelemetryEvent[] = [];
  for (const [index, eventText] of eventTexts.entries()) {
    const event = parseJson(eventText);
    if (event === undefined) return { unreadable: `its event ${index} is not JSON` };
    events.push(event);
  }
  const { batch, ...frame } = header.data;
  return { message: { ...frame, batch: { ...batch, events } }, eventTexts };
}

/** Undefined for what is no JSON. */
function parseJson(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
