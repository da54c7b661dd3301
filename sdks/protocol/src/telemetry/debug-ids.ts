import { z } from "zod";

/** The context of an event that has the debug IDs of built files, by the files as its stack names them. */
export const debugIdsContext = "debug_ids";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const debugIdSchema = z
  .string()
  .toLowerCase()
  .refine((text) => uuid.test(text));
const contextSchema = z.record(z.string(), z.unknown());

/** Returns the debug IDs of an event's built files, by the files as its stack names them. */
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
