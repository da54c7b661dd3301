import { type Batch, batchSchema, eventSchema, type TelemetryEvent } from "@whence/protocol";
import { compiledWhenUsed } from "./compiled-schema.ts";

/** Whether it is a valid batch that its schema would leave as it is. */
export const isPlainBatch: (value: unknown) => value is Batch = compiledWhenUsed(batchSchema);

/** Whether it is a valid event that its schema would leave as it is. */
export const isPlainEvent: (value: unknown) => value is TelemetryEvent = compiledWhenUsed(eventSchema);
