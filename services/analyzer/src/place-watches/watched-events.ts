import type { WatchedEvent } from "@whence/engine";
import type { PlaceWatchRepository, ScopedEvents, StoredEvent, WatchedProgram } from "@whence/storage";
import { orderedPlacesOf } from "./ordered-places.ts";

/**
 * Returns the events that carried what was seen at the places of an incident's last watch, the oldest first: those of
 * the failure that is investigated, in the watched release.
 */
export async function watchedEventsOf(
  incidentId: string,
  failing: StoredEvent,
  { placeWatches, events }: { readonly placeWatches: PlaceWatchRepository; readonly events: ScopedEvents },
): Promise<readonly WatchedEvent[]> {
  const watch = await placeWatches.last(incidentId);
  if (!watch?.seen || !isOf(failing, watch)) return [];
  const seen = await Promise.all(watch.seen.eventIds.map((id) => events.event(id)));
  // A client names the order and the release of its events.
  return seen.flatMap((one) =>
    one?.event.watched?.order === watch.id && isOf(one, watch) && one.fingerprint === failing.fingerprint
      ? [{ event: one.event, places: orderedPlacesOf(watch.places) }]
      : [],
  );
}

function isOf(one: WatchedProgram, { service, env, release }: WatchedProgram): boolean {
  return one.service === service && one.env === env && one.release === release;
}
