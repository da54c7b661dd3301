import { z } from "zod";

/** The event context with the debug IDs of built files, keyed by their names in the stack. */
export const debugIdsContext = "debug_ids";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const debugIdSchema = z
  .string()
  .toLowerCase()
  .refine((text) => uuid.test(text));
const contextSchema = z.record(z.string(), z.unknown());

/** Returns the debug IDs of an event's built files, keyed by their names in the stack. */
export function debugIdsOf(event: {
  readonly contexts?: Readonly<Record<string, unknown>> | undefined;
}): ReadonlyMap<string, string> {
  const context = contextSchema.safeParse(event.contexts?.[debugIdsContext]).data ?? {};
  return new Map(
    Object.entries(context).flatMap(([file, debugId]) => {
      const { data } = debugIdSchema.safeParse(debugId);
      return data === undefined ? [] : [[file, data]];
    }),
  );
}
