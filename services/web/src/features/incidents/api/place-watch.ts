import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type IncidentWatch, incidentWatchSchema, type PlaceWatch, placeWatchSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";
import { isRunning } from "../watch/place-watch-state.ts";

/** How often a running watch is read again. */
const watchEveryMs = 5_000;
const pathOf = (id: string): string => `/api/incidents/${encodeURIComponent(id)}/watch`;

/** The last watch of an incident's places, and the places that a new one would be for. */
export const placeWatchQuery = (id: string) =>
  queryOptions({
    queryKey: ["incident", id, "watch"],
    queryFn: ({ signal }): Promise<IncidentWatch> => request(incidentWatchSchema, pathOf(id), { signal }),
    refetchInterval: ({ state: { data } }) => (data?.watch && isRunning(data.watch, Date.now()) ? watchEveryMs : false),
  });

/** Asks the running processes of the failing release to watch the places for `minutes`. */
export function startWatch(id: string, minutes: number): Promise<PlaceWatch> {
  return request(placeWatchSchema, pathOf(id), { method: "POST", body: { minutes } });
}

/** Ends the watch that runs. */
export function stopWatch(id: string): Promise<PlaceWatch> {
  return request(placeWatchSchema, pathOf(id), { method: "DELETE" });
}

/** Reads again what is watched, for the incident and where all watches are listed. */
export async function refreshWatch(queryClient: QueryClient, id: string): Promise<void> {
  const keys = [placeWatchQuery(id).queryKey, ["watches"]];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
