import { withoutFuture } from "@whence/protocol";
import type { Announcement } from "@whence/vendors";

/**
 * The announcement with no time later than its receipt, beyond what clocks differ: alerts, deployments, and requests are
 * ordered by what their senders say, and an end that lies in the future would silence each beginning until then.
 */
export function announcedBy(receivedAtMs: number, announcement: Announcement): Announcement {
  const bounded = <Timed extends { readonly at: string }>(timed: Timed): Timed => {
    return { ...timed, at: new Date(withoutFuture(timed.at, receivedAtMs)).toISOString() };
  };
  switch (announcement.kind) {
    case "alert":
      return { ...announcement, alert: bounded(announcement.alert) };
    case "deploy":
      return { ...announcement, deploy: bounded(announcement.deploy) };
    case "rollback":
      return bounded(announcement);
    case "request":
      return { ...announcement, request: bounded(announcement.request) };
    case "stop":
      return { ...announcement, stopped: bounded(announcement.stopped) };
    case "confirm":
    case "installed":
    case "removed":
      return announcement;
  }
}
