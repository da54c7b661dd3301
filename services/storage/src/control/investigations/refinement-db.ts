import type { ChangedFiles } from "@whence/protocol";
import type { Joining, JoiningFailure } from "../failures/joining-db.ts";

/** The reports of all scopes that are still refined. */
export interface RefinementStore {
  readonly refinements: RefinementDirectory;
}

/** The evidence that a report had, and when to look again. */
export interface EvidencePlan {
  /** A digest of the evidence. A different one at the next look means that there is something new. */
  readonly mark: string;
  /** Null: the report is final. */
  readonly refineAt: Date | null;
  /** When the last planned look is due. */
  readonly refinedUntil: Date | null;
}

/** What is known at the end of an investigation beside its report. */
export interface ReportSurroundings {
  /** Without one, the report is final. */
  readonly plan?: EvidencePlan;
  /** What changed before a renewed report; absent or null where it isn't known. */
  readonly changed?: FilesBetween | null;
}

/** The files that changed between two releases of a service. */
export interface FilesBetween {
  readonly from: string;
  readonly to: string;
  readonly files: ChangedFiles;
}

/** A report taken for refinement. Its attempt invalidates every other investigation of the incident. */
export interface TakenRefinement {
  readonly attempt: number;
  /** Of the newest version. */
  readonly version: number;
  readonly mark: string | null;
}

/** The reports of all scopes that are still refined. */
export interface RefinementDirectory {
  /**
   * Queues the refinement of at most `max` reports that are due, and returns how many. A refinement that isn't done
   * after `holdMs` is queued again; queuing the same one twice queues it once.
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
