import { type LifecycleState, muteEndText } from "@whence/protocol";
import type { StoredIncident } from "@whence/storage";
import { type MessageAction, type MessageDocument, utcTime } from "@whence/vendors";
import { facts } from "./message-parts.ts";

type Button = readonly [MessageAction, string];

const reopening: readonly Button[] = [["reopen", "Reopen"]];
const buttonsOf: Readonly<Record<LifecycleState, readonly Button[]>> = {
  open: [
    ["take", "Take"],
    ["resolve", "Resolve"],
    ["mute", "Mute for a day"],
  ],
  muted: [["resolve", "Resolve"], ...reopening],
  ignored: reopening,
  resolved: reopening,
};

/** The parts of an incident that its buttons depend on. */
type Managed = Pick<StoredIncident, "id" | "lifecycle" | "owner">;

/** Returns the message with what people decided about the incident, and the buttons for what they can do about it. */
export function withButtons(message: MessageDocument, incident: Managed): MessageDocument {
  const { id: incidentId, lifecycle, owner } = incident;
  const texts = buttonsOf[lifecycle.state].filter(([action]) => action !== "take" || owner === null);
  return {
    ...message,
    parts: [...message.parts, ...facts([stateText(incident), owner && `Owner: ${owner.name}`])],
    buttons: { incidentId, texts },
  };
}

/** Returns what people decided, and who did; null while it is open. */
function stateText({ lifecycle: { state, by, mute, resolved_in: how } }: Managed): string | null {
  const who = by === null ? "" : ` by ${by.name}`;
  switch (state) {
    case "open":
      return null;
    case "muted":
      return `Muted${who}${mute === null ? "" : ` ${muteEndText(mute, utcTime)}`}`;
    case "ignored":
      return `Ignored${who}`;
    case "resolved":
      return `Resolved${how === "next-release" ? " in the next release" : ""}${who}`;
  }
}
