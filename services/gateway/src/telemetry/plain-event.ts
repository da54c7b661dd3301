import { eventSchema, type TelemetryEvent } from "@whence/protocol";
import { compileSchema } from "./compiled-schema.ts";

/** Whether it is a valid event that its schema would leave as it is. */
export const isPlainEvent: (value: unknown) => value is TelemetryEvent = compileSchema(eventSchema);
