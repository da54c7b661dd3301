/** Places of a report that running processes are asked to watch. */
export interface PlaceWatchTable {
  id: string;
  scope_id: string;
  incident_id: string;
  service: string;
  env: string;
  release: string;
  /** The signed order. */
  order_text: string;
  /** The key that its signature is checked with. */
  key_text: string;
  places_json: string;
  created_at: string;
  user_id: string;
  user_name: string;
  expires_at: string;
  stopped_at: string | null;
  /** What each process answered last, by its instance, as {@link StoredPlaceWatch} has it. */
  processes_json: string | null;
  /** The events that carried what was seen, the oldest first, with spaces between them, and how many did. */
  seen_event_ids: string | null;
  seen_at: string | null;
  seen: number;
}
