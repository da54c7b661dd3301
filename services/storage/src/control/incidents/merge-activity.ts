import type { Activity, Actor } from "@whence/protocol";

/** What the activity of an incident says of a merge with another one, or of its end. */
export function mergeActivity(
  kind: Extract<Activity["kind"], "merged" | "merged-into" | "split-off" | "unmerged">,
  { id, title }: { readonly id: string; readonly title: string },
  by: Actor,
  now: Date,
): Activity {
  const at = now.toISOString();
  return { at, kind, by, mute: null, resolved_in: null, release: null, incident: { id, title } };
}
