import type { AlertName } from "../alerts/alert-db.ts";

/** A release that an alert source announced as live; `key` is the deployment's id at the source. */
export interface Deployment extends AlertName {
  readonly service: string;
  readonly env: string;
  readonly release: string;
  readonly commit: string | null;
  readonly url: string | null;
  /** RFC 3339. */
  readonly liveAt: string;
}

/** The deployments that the scope's sources announced, the latest of each. */
export interface DeploymentRepository {
  /**
   * Stores a deployment and has it checked from `firstCheckAt` on. One that is known is checked again if it went live later
   * than before; otherwise nothing changes. Of a source, only the `keptMax` that went live last are kept.
   */
  watch(deployment: Deployment, firstCheckAt: Date, keptMax: number): Promise<void>;
  find(name: AlertName): Promise<Deployment | null>;
}

/** Deployments of all scopes, for what checks whether they broke something. */
export interface DeploymentDirectory {
  /**
   * Takes those that are due for a check, at most `max` of them. Each goes to one caller; a check that was neither postponed
   * nor ended within `holdMs` is taken again.
   */
  take(now: Date, bounds: { readonly holdMs: number; readonly max: number }): Promise<readonly TakenDeployment[]>;
  /** False when another process has taken it since, or it went live again. */
  postpone(taken: TakenDeployment, nextCheckAt: Date): Promise<boolean>;
  /** Has it checked no more. False as for {@link postpone}. */
  end(taken: TakenDeployment): Promise<boolean>;
}

export interface TakenDeployment extends Deployment {
  readonly scopeId: string;
  /** The number of this check. */
  readonly check: number;
}
