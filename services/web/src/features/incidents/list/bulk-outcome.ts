import type { BulkChange, BulkResult } from "@whence/protocol";

const done: Readonly<Record<BulkChange["change"]["action"], string>> = {
  resolve: "resolved",
  mute: "muted",
  ignore: "ignored",
  reopen: "reopened",
  take: "taken",
};

/** What a notice says after a change of several incidents: how many changed, and why others didn't. */
export function bulkOutcome(
  action: BulkChange["change"]["action"],
  { results }: BulkResult,
): { readonly title: string; readonly description?: string } {
  const refused = results.flatMap((result) => (result.outcome === "refused" ? [result.message] : []));
  const changed = results.length - refused.length;
  const title = `${changed} ${changed === 1 ? "incident" : "incidents"} ${done[action]}`;
  if (refused.length === 0) return { title };
  return { title: `${title}, ${refused.length} refused`, description: [...new Set(refused)].join(" ") };
}
