import { type Batch, batchSchema, eventSchema, type TelemetryEvent } from "@whence/protocol";
import { compiledWhenUsed } from "./compiled-schema.ts";

/** Whether a value is a valid batch that its schema wouldn't change. */
export const isPlainBatch: (value: unknown) => value is Batch = compiledWhenUsed(batchSchema);

/** Whether a value is a valid event that its schema wouldn't change. */
export const isPlainEvent: (value: unknown) => value is TelemetryEvent = compiledWhenUsed(eventSchema);
