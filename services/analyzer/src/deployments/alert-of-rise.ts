import type { Deployment } from "@whence/storage";
import { type AnnouncedAlert, textFrom, titleFrom } from "@whence/vendors";
import type { FailureRise } from "./failure-rise.ts";

/** Returns the alert for a deployment after which its service fails more often. */
export function alertOfRise(deployment: Deployment, rise: FailureRise): AnnouncedAlert {
  const { key, service, env, release, url, liveAt } = deployment;
  const title = titleFrom(`${service} fails more often since ${release} went live`);
  return {
    // The same deployment may go live again, and break something again.
    key: `${key} ${liveAt}`,
    state: "firing",
    title,
    text: textFrom(
      title,
      reasonOfRise(deployment, rise),
      `- deployment = ${key}`,
      `- release = ${release}`,
      `timestamp: ${rise.at}`,
    ),
    service,
    env,
    severity: "high",
    at: beganAt(deployment, rise),
    url,
  };
}

/** Returns when it began. Minutes are full ones: failures in the minute of the deployment count from then on. */
function beganAt({ liveAt }: Deployment, { at }: FailureRise): string {
  return Date.parse(at) > Date.parse(liveAt) ? at : liveAt;
}

/** Returns why an incident opens for it. */
export function reasonOfRise({ key, liveAt }: Deployment, { before, after, perProcess }: FailureRise): string {
  const each = perProcess ? " in each process" : "";
  return `failures rose from ${rate(before)} to ${rate(after)} a minute${each} after deployment ${key} went live at ${liveAt}`;
}

function rate(perMinute: number): string {
  return perMinute.toFixed(perMinute < 10 ? 1 : 0);
}
