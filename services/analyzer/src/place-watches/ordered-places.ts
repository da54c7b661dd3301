import { type OrderedPlace, orderedPlaceSchema, type WatchPlace, watchLimits } from "@whence/protocol";

/** Returns the places of a report that a running process may be asked to watch: those in files whose text is known. */
export function orderedPlacesOf(places: readonly WatchPlace[] = []): OrderedPlace[] {
  return places.flatMap((place) => orderedPlaceSchema.safeParse(place).data ?? []).slice(0, watchLimits.watchPlacesMax);
}
