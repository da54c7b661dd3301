import { readFileSync } from "node:fs";

/** The variable that names the file with the orders of a watched run. */
export const ordersVariable = "WHENCE_WATCH";

/** A place to stop at. Lines are 1-based. */
export interface OrderedPlace {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  /** The line where its function begins; null at module level, or where that isn't known. */
  readonly starts: number | null;
  /** The stop at this place, counted from 1, from which each call is followed. */
  readonly follow_from?: number;
  /** Whether its function is the failing test: what this and all other tests run is counted. */
  readonly is_test?: boolean;
}

/** A regular expression in JSON. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
}

/** What a watched process looks for, and within which bounds. */
export interface Orders {
  /** Where each process writes a file of its own. */
  readonly folder: string;
  /** The folder of the tree; files of it that are loaded are named. Installed packages aren't. */
  readonly base: string;
  readonly places: readonly OrderedPlace[];
  /** How the messages of the failing error and its causes begin. */
  readonly failures: readonly string[];
  /** Names in lower case whose values aren't read. */
  readonly redactedNames: readonly string[];
  /** What names of credentials, and credentials themselves, look like. */
  readonly credentials: { readonly name: Expression; readonly patterns: readonly Expression[] };
  readonly hitsPerPlaceMax: number;
  readonly valuesPerHitMax: number;
  readonly callersPerHitMax: number;
  /** Files of the tree that a process names. */
  readonly loadedFilesMax: number;
  /** Functions that a process names which the failing test ran. */
  readonly ranFunctionsMax: number;
  /** Characters of a name or value. */
  readonly textLengthMax: number;
  /** Stops at one place, after which it is given up. */
  readonly stopsPerPlaceMax: number;
  /** How long a process is stopped in all. */
  readonly pauseMsMax: number;
  /** The time after which places are given up, in milliseconds since 1970. */
  readonly placesUntil: number;
  readonly throwsMax: number;
  /** Steps through the code of followed calls. */
  readonly stepsMax: number;
  /** How many calls within each other are followed. */
  readonly followedDepthMax: number;
  /** Characters that a process writes. */
  readonly writtenLengthMax: number;
}

/** Returns the orders for this process; null where there are none. */
export function readOrders(path: string | undefined): Orders | null {
  if (path === undefined) return null;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // The run that ordered it has ended.
    return null;
  }
}
