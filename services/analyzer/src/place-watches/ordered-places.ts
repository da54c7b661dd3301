import { type OrderedPlace, orderedPlaceSchema, type Report, watchLimits } from "@whence/protocol";

/** Returns the places of a report that a running process may be asked to watch: those in files whose text is known. */
export function orderedPlacesOf(report: Report | undefined): OrderedPlace[] {
  return (report?.watch ?? [])
    .flatMap((place) => orderedPlaceSchema.safeParse(place).data ?? [])
    .slice(0, watchLimits.watchPlacesMax);
}
