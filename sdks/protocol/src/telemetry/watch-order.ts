import { z } from "zod";
import { callSchema, hitSchema, placeFieldsSchema, watchedRunLimits } from "../incidents/watched-run.ts";
import { timestampSchema } from "../text.ts";

/** Bounds of watched places in a running program. */
export const watchLimits = {
  /** Places of one watch. */
  watchPlacesMax: 10,
  /** How long places are watched. */
  watchMinutesMax: 60,
  /** Stops at one place in one process, after which it isn't watched any longer. */
  watchStopsPerPlaceMax: 20,
  /** Stops that one event carries. */
  watchHitsPerEventMax: 60,
  /** UTF-8 bytes of a signed order. */
  watchOrderBytesMax: 16_384,
  /** Characters of why a process didn't watch, or stopped. */
  watchReasonLengthMax: 500,
  /** Failures that one watch counts as having carried what was seen. */
  watchSightingsMax: 5,
  /** Processes that one watch counts: those that answered last. */
  watchProcessesMax: 50,
} as const;

/** The name in front of what is signed, so that no other signature of the key fits an order. */
export const watchOrderDomain = "whence watch order 1\n";

/** A place that a running program is asked to stop at. Lines are 1-based. */
export const orderedPlaceSchema = callSchema.extend({
  /** Of the file's text in UTF-8, in hex: a program that runs another version refuses. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  fields: placeFieldsSchema.optional(),
});
export type OrderedPlace = z.infer<typeof orderedPlaceSchema>;

/** What the service signs: which program is asked to watch which places, and until when. */
export const watchOrderSchema = z.object({
  /** Never used twice: a process that has ended an order doesn't begin it again. */
  id: z.string(),
  organization: z.string(),
  service: z.string(),
  env: z.string(),
  /** The release that the places are in. */
  release: z.string(),
  issued_at: timestampSchema,
  expires_at: timestampSchema,
  places: z.array(orderedPlaceSchema).min(1).max(watchLimits.watchPlacesMax),
});
export type WatchOrder = z.infer<typeof watchOrderSchema>;

/** What a process did with the order that it received last. */
export const watchStates = ["armed", "refused", "ended"] as const;
export type WatchState = (typeof watchStates)[number];

/** In the header of a batch: the process may be asked to watch places, and what became of the last order. */
export const watchNoteSchema = z.object({
  order: z.string().max(watchedRunLimits.watchedTextLengthMax).optional(),
  state: z.enum(watchStates).optional(),
  /** Why it refused or ended. */
  reason: z.string().max(watchLimits.watchReasonLengthMax).optional(),
});
export type WatchNote = z.infer<typeof watchNoteSchema>;

/** In the answer to a batch whose header has a {@link WatchNote}; absent when the service can't tell now. */
export interface WatchAnswer {
  /** `<organization>:<public key>`: Ed25519, raw, in base64url; absent without an order. */
  readonly key?: string;
  /** The order in base64url as JSON, a dot, and its signature in base64url; null when nothing is to be watched. */
  readonly order: string | null;
}

/** What a process saw at watched places, on the way to an event, in the same request or job. */
export const watchedSchema = z.object({
  /** The id of the order. */
  order: z.string().max(watchedRunLimits.watchedTextLengthMax),
  /** When the event was captured, in milliseconds since the places were armed. */
  at_ms: z.number().min(0),
  /** How often each place of the order was reached in this process; those that aren't complete were given up. */
  places: z
    .array(z.object({ place: z.int().min(0), hits: z.int().min(0), is_complete: z.boolean() }))
    .max(watchLimits.watchPlacesMax),
  /** Those of the event's own request or job, in the order of their time. */
  hits: z.array(hitSchema).max(watchLimits.watchHitsPerEventMax),
});
export type Watched = z.infer<typeof watchedSchema>;
