import { isRegressed, type Lifecycle, muteEndText } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { sentenceTime } from "../../../lib/times.ts";

/** What people decided about an incident; nothing while it is open, unless it came back after it was resolved. */
export function LifecycleBadge({ lifecycle }: { readonly lifecycle: Lifecycle }): JSX.Element | null {
  const { state, mute, resolved_in: how } = lifecycle;
  if (isRegressed(lifecycle)) return <Badge tone="critical">Regressed</Badge>;
  if (state === "open") return null;
  if (state === "ignored") return <Badge tone="low">Ignored</Badge>;
  if (state === "muted") return <Badge tone="low">Muted {mute ? muteEndText(mute, shortTime) : ""}</Badge>;
  return <Badge tone="good">{how === "next-release" ? "Resolved in the next release" : "Resolved"}</Badge>;
}

function shortTime(at: string): string {
  return sentenceTime(at, Date.now());
}
