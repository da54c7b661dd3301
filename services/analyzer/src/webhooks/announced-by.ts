import { withoutFuture } from "@whence/protocol";
import type { Announcement } from "@whence/vendors";

/**
 * Limits the announcement's times to its receipt, plus clock differences. Alerts, deployments, and requests are ordered
 * by their senders' times, and a resolution in the future would suppress every beginning until then.
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
    case "press":
      return { ...announcement, pressed: bounded(announcement.pressed) };
    case "stop":
      return { ...announcement, stopped: bounded(announcement.stopped) };
    case "confirm":
    case "installed":
    case "removed":
      return announcement;
  }
}
