import type { Actor, WatchPlace, WatchState } from "@whence/protocol";

/** The places that running processes of a scope are asked to watch. */
export interface PlaceWatchScope {
  readonly placeWatches: PlaceWatchRepository;
}

export interface PlaceWatchRepository {
  /** Adds a watch in one transaction, with its entry in the audit log. Those of the scope that ended long ago are removed. */
  add(watch: NewPlaceWatch): Promise<AddedPlaceWatch>;
  /** Ends the incident's watch, with its entry in the audit log; null when none is running. */
  stop(incidentId: string, by: Actor, now: Date): Promise<StoredPlaceWatch | null>;
  /** The last watch of an incident; null when it never had one. */
  last(incidentId: string): Promise<StoredPlaceWatch | null>;
  /** Those that are running, the newest first. */
  running(now: Date): Promise<readonly StoredPlaceWatch[]>;
  /** The running one for processes of a release; null when there is none. */
  runningIn(program: WatchedProgram, now: Date): Promise<StoredPlaceWatch | null>;
  /**
   * Notes what processes did with an order, by their instances. Of more processes than one watch counts, those that
   * answered last are kept.
   */
  note(order: string, became: ReadonlyMap<string, ProcessAnswer>, now: Date): Promise<void>;
  /**
   * Notes that a failure carried what was seen, as many failures as one watch counts and none of another incident, and
   * has the incident's report refined soon.
   */
  saw(sighting: Sighting): Promise<void>;
}

export interface WatchedProgram {
  readonly service: string;
  readonly env: string;
  readonly release: string;
}

export interface NewPlaceWatch extends WatchedProgram {
  readonly incidentId: string;
  /** Signs the order of a watch by its id. */
  readonly sign: (id: string) => string;
  /** The key that the signature is checked with. */
  readonly key: string;
  readonly places: readonly WatchPlace[];
  readonly expiresAt: Date;
  readonly by: Actor;
  readonly now: Date;
}

export type AddedPlaceWatch =
  | { readonly outcome: "added"; readonly watch: StoredPlaceWatch }
  | { readonly outcome: "unknown" }
  /** The same program is watched already, for this incident or another. */
  | { readonly outcome: "running"; readonly watch: StoredPlaceWatch };

export interface Sighting {
  readonly order: string;
  readonly fingerprint: string;
  readonly env: string;
  readonly eventId: string;
  readonly sightingsMax: number;
  readonly now: Date;
}

/** What a process did with an order, and why. */
export interface ProcessAnswer {
  readonly state: WatchState;
  readonly reason: string | null;
}

/** Times are RFC 3339. */
export interface StoredPlaceWatch extends WatchedProgram {
  readonly id: string;
  readonly incidentId: string;
  readonly order: string;
  readonly key: string;
  readonly places: readonly WatchPlace[];
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly stoppedAt: string | null;
  /** What each process answered last, the one that changed last at the end. */
  readonly processes: readonly (ProcessAnswer & { readonly instance: string; readonly at: string })[];
  readonly seen: {
    readonly failures: number;
    /** The last one. */
    readonly eventId: string;
    /** The oldest first. */
    readonly eventIds: readonly string[];
    readonly at: string;
  } | null;
}
