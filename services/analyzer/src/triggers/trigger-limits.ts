import { dayMs, hourMs } from "@whence/protocol";

/** Every limit of the webhooks that announce failures, once, with its unit last. */
export const triggerLimits = {
  /** Size of one webhook. */
  webhookBytesMax: 524_288,
  /** Sources per organization. */
  alertSourcesMax: 50,
  /** Alerts per source in a list. */
  alertsListedMax: 50,
  /** An alert that wasn't announced for this long is a different failure, whatever its key. */
  alertForgottenAfterMs: dayMs,
  /** Remembered resolutions of unknown alerts per source, because their beginnings may arrive later. */
  resolutionsMax: 500,
  /** How long before the alert began its failure may have been last seen. */
  failureBeforeAlertMs: 900_000,
  /** How long after the alert began its failure may have been first seen. */
  failureAfterAlertMs: 900_000,
  /** Failures of an organization, those decided last, in which an alert's failure is searched. */
  failuresLookedAtMax: 200,
  /** Deployments kept per source, to recognize one that goes live again. */
  deploymentsKeptMax: 200,
  /** When the failures of a service are checked after a deployment went live. */
  deploymentChecksAfterMs: [300_000, 900_000, 1_800_000],
  /** How far back a service's failures are read before a deployment, for comparison. */
  beforeDeploymentMs: hourMs,
  /** A change that begins later has another cause. */
  deploymentEffectWithinMs: 600_000,
  /** How often to look for sources whose connection was added, changed, or removed. */
  connectionsLookEveryMs: 10_000,
  /** Sources per process with a connection. Slack allows ten connections per app, and therefore ten processes. */
  connectionsMax: 200,
  /** Webhooks that one process handles at a time. */
  webhookLanes: 2,
} as const;
