import type { Joining, JoiningFailure } from "../failures/joining-db.ts";

/** The reports of all scopes that are still refined. */
export interface RefinementStore {
  readonly refinements: RefinementDirectory;
}

/** What a report knew of, and when evidence is looked for again. */
export interface EvidencePlan {
  /** Compared at the next look: another one means that there is something new. */
  readonly mark: string;
  /** Null: the report is final. */
  readonly refineAt: Date | null;
  /** When the last planned look is due. */
  readonly refinedUntil: Date | null;
}

/** A report that is looked at again. Its attempt fences off every other investigation of the incident. */
export interface TakenRefinement {
  readonly attempt: number;
  /** Of the newest version. */
  readonly version: number;
  readonly mark: string | null;
}

/** The reports of all scopes that are still refined. */
export interface RefinementDirectory {
  /**
   * Leaves a message on `investigations` for each report whose next look is due, `max` at most, and returns how many.
   * One that isn't done after `holdMs` is asked for again; asking twice for the same look is asking once.
   */
  askDue(now: Date, bounds: { readonly max: number; readonly holdMs: number }): Promise<number>;
}

/** An incident that turned out to be the same problem as another one. */
export interface MergingIncident {
  readonly incidentId: string;
  /** Of the failure that it's named after. */
  readonly fingerprint: string;
  readonly env: string;
  readonly decision: JoiningFailure["decision"];
  readonly into: Pick<Joining, "incidentId" | "anchor" | "root">;
  readonly now: Date;
}
