import type { MonitorChange, MonitorResult } from "@whence/protocol";
import type { Person } from "../settings/settings-db.ts";

/** The monitors of a scope. */
export interface MonitorScope {
  readonly monitors: MonitorRepository;
}

/** The monitors of all scopes. */
export interface MonitorStore {
  readonly monitors: MonitorDirectory;
}

/** How a monitor's checks go. Times are RFC 3339. */
export interface MonitorProgress {
  /** Checks that failed in a row. */
  readonly failedChecks: number;
  readonly failingSince: string | null;
  /** Null while it doesn't alert. */
  readonly alert: MonitorAlert | null;
  /** When its latest alert ended; null before one did. */
  readonly recoveredAt: string | null;
  /** The incident of its latest alert that has one. */
  readonly incidentId: string | null;
  readonly lastResult: MonitorResult | null;
  /** Of check-ins: when the next run is due, and since when one is in progress. */
  readonly expectedAt: string | null;
  readonly runningSince: string | null;
  /** The run that is in progress, or else the last one; null when its client names none. */
  readonly runId: string | null;
}

/** The current alert of a monitor. */
export interface MonitorAlert {
  /** RFC 3339. */
  readonly since: string;
  /** What the check found that it began with. */
  readonly reason: string;
  /** Whether it has an incident. */
  readonly isOpened: boolean;
  /** Why it has none, once that is known. */
  readonly withheld: string | null;
}

export interface StoredMonitor extends MonitorChange {
  readonly id: string;
  readonly scopeId: string;
  readonly progress: MonitorProgress;
  readonly revision: number;
  /** RFC 3339; null while it is paused. */
  readonly nextCheckAt: string | null;
  readonly createdAt: string;
  readonly createdBy: Person;
}

export interface NewMonitor {
  readonly change: MonitorChange;
  readonly progress: MonitorProgress;
  readonly keyHash: string | null;
  readonly nextCheckAt: string | null;
  readonly by: Person;
  readonly now: Date;
}

/** What is written about a monitor after a check. */
export interface WrittenMonitor {
  readonly progress: MonitorProgress;
  readonly nextCheckAt: string | null;
  /** The settings, when they change too. */
  readonly change?: MonitorChange;
  /** Kept in the monitor's history; absent when there was no check. */
  readonly result?: MonitorResult;
}

/** The monitors of one scope. */
export interface MonitorRepository {
  /** The oldest first. */
  list(): Promise<readonly StoredMonitor[]>;
  find(id: string): Promise<StoredMonitor | null>;
  add(monitor: NewMonitor): Promise<StoredMonitor>;
  /** Does nothing when there is one with its key. */
  addOnce(monitor: NewMonitor): Promise<void>;
  /** Returns the monitor as written; null when someone else wrote or took it since it was read, or it is gone. */
  write(read: Pick<StoredMonitor, "id" | "revision">, written: WrittenMonitor): Promise<StoredMonitor | null>;
  /** Replaces the key of its check-ins. False when there is no such monitor. */
  replaceKey(id: string, keyHash: string): Promise<boolean>;
  /** The newest first. */
  results(id: string, limit: number): Promise<readonly MonitorResult[]>;
  /** Removes a monitor with its results, and returns it; null when there is none. Incidents stay, with its alerts. */
  remove(id: string): Promise<StoredMonitor | null>;
}

/** Monitors of all scopes, for what checks them, and for check-ins, which name a monitor by its key only. */
export interface MonitorDirectory {
  /**
   * Takes those whose check is due, at most `max`, scopes taking turns. Each goes to one caller; one that wasn't written
   * within `holdMs` is taken again.
   */
  take(now: Date, bounds: { readonly holdMs: number; readonly max: number }): Promise<readonly StoredMonitor[]>;
  /** Null when no monitor has this key. */
  ofKey(keyHash: string): Promise<StoredMonitor | null>;
}
