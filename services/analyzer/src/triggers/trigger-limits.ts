/** Every number of the webhooks that announce failures, once, with its unit last. */
export const triggerLimits = {
  /** Of one webhook. */
  webhookBytesMax: 524_288,
  /** Sources of one organization. */
  alertSourcesMax: 50,
  /** Alerts of a source that are listed. */
  alertsListedMax: 50,
  /** An alert that wasn't announced for so long is another failure, whatever its key. */
  alertForgottenAfterMs: 86_400_000,
  /** Ends of alerts that weren't known, of one source, that are remembered: their beginnings may arrive later. */
  resolutionsMax: 500,
  /** How long before an alert began the failure that it is about may have been seen last. */
  failureBeforeAlertMs: 900_000,
  /** Failures of an organization, decided about last, among which the one of an alert is looked for. */
  failuresLookedAtMax: 200,
  /** Deployments of a source that are kept, so that one that goes live again is known. */
  deploymentsKeptMax: 200,
  /** After a deployment went live, the failures of its service are looked at so often. */
  deploymentChecksAfterMs: [300_000, 900_000, 1_800_000],
  /** How long before a deployment its service's failures are looked at, to compare. */
  beforeDeploymentMs: 3_600_000,
  /** A change that begins any later has another cause. */
  deploymentEffectWithinMs: 600_000,
  /** How often sources are looked for whose connection was added, changed, or removed. */
  connectionsLookEveryMs: 10_000,
  /** Sources that one process is connected for. Slack allows an app ten connections, and so ten processes. */
  connectionsMax: 200,
  /** Webhooks that one process handles at a time. */
  webhookLanes: 2,
} as const;
