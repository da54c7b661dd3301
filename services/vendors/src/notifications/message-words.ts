import type { Notification } from "@whence/protocol";

type IncidentPart = NonNullable<Notification["incident"]>;

/** How a message about an incident begins. */
export const beginnings: Readonly<Record<Notification["type"], string>> = {
  opened: "",
  returned: "Back again: ",
  completed: "",
  corrected: "Cause corrected: ",
  failed: "Investigation failed: ",
  resolved: "Resolved: ",
  summary: "",
  test: "",
};

export const testNote = "This is a test: incidents will reach you like this. Nothing has happened.";

/** The labels of a message's parts, in every channel. */
export const labels = {
  error: "Error",
  confidence: "Confidence",
  fix: "Fix now",
  failed: "The investigation failed",
  open: "Open the incident",
} as const;

/** Returns `Restart the service: it frees what it holds now.` */
export function solutionText({ title, detail }: { readonly title: string; readonly detail: string }): string {
  return [title, detail].filter((part) => part !== "").join(": ");
}

/** Returns a note that the investigation is still running; empty once it has ended. */
export function runningNote({ status }: Pick<IncidentPart, "status">): readonly string[] {
  return status === "queued" || status === "investigating" ? ["The investigation is running."] : [];
}

export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** Returns `2026-03-01 12:00:00 UTC`, because the reader's time zone is unknown. */
export function utcTime(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
