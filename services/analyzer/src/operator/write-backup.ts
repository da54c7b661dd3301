import { engine } from "@whence/engine";
import { type BackupStore, type EventStore, type Queue, telemetryTopic } from "@whence/storage";
import type { z } from "zod";
import { backupFormat, type endSchema, type headSchema } from "./backup-format.ts";

/** Characters passed to the compressor at once, because a call per line would cost more than the line. */
const blockLength = 64 * 1_024;

export interface BackupSource {
  readonly control: Pick<BackupStore, "exportRows">;
  readonly events: Pick<EventStore, "everything">;
  readonly queue: Pick<Queue, "depth">;
  readonly clock: () => number;
}

/**
 * The service's data as blocks of JSON lines: the control database as of one moment, then every event. Events come last
 * because incidents name them, and events stored in between do no harm. Rejects in the middle when a port fails; then
 * the last line is missing, and a restore rejects the file.
 */
export async function* backupBlocks(source: BackupSource): AsyncGenerator<string> {
  let block = "";
  for await (const line of backupLines(source)) {
    block += `${JSON.stringify(line)}\n`;
    if (block.length < blockLength) continue;
    yield block;
    block = "";
  }
  yield block;
}

async function* backupLines({ control, events, queue, clock }: BackupSource): AsyncGenerator<object> {
  const head: z.infer<typeof headSchema> = {
    whence_backup: backupFormat,
    at: new Date(clock()).toISOString(),
    engine_version: engine.version,
  };
  yield head;
  const count = { rows: 0, events: 0 };
  for await (const row of control.exportRows()) {
    count.rows += 1;
    yield row;
  }
  for await (const chunk of events.everything()) {
    for (const event of chunk) {
      count.events += 1;
      yield { event };
    }
  }
  const end: z.infer<typeof endSchema> = {
    end: count,
    not_included: { telemetry_messages: await waitingTelemetry(queue) },
  };
  yield end;
}

/** Null when the queue is unavailable: everything else is already written, and worth keeping without this. */
async function waitingTelemetry(queue: Pick<Queue, "depth">): Promise<number | null> {
  try {
    const { pending, held, dead } = await queue.depth(telemetryTopic);
    return pending + held + dead;
  } catch {
    return null;
  }
}
