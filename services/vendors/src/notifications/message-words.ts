import type { Notification } from "@whence/protocol";

type IncidentPart = NonNullable<Notification["incident"]>;

/** What a message about an incident begins with. */
export const beginnings: Readonly<Record<Notification["type"], string>> = {
  ...{
    opened: "",
    returned: "Back again: ",
    completed: "",
    corrected: "Cause corrected: ",
    failed: "Investigation failed: ",
    resolved: "Resolved: ",
  },
  ...{ summary: "", test: "" },
};

export const testNote = "This is a test: incidents will reach you like this. Nothing has happened.";

/** What the parts of a message are called, wherever it is read. */
export const labels = {
  ...{ error: "Error", confidence: "Confidence", fix: "Fix now", failed: "The investigation failed" },
  ...{ open: "Open the incident" },
} as const;

/** `Restart the service: it frees what it holds now.` */
export function solutionText({ title, detail }: { readonly title: string; readonly detail: string }): string {
  return [title, detail].filter((part) => part !== "").join(": ");
}

/** Says that there will be more to read; empty once the investigation has ended. */
export function runningNote({ status }: Pick<IncidentPart, "status">): readonly string[] {
  return status === "queued" || status === "investigating" ? ["The investigation is running."] : [];
}

/** `78% (one frame and its source)`; the basis alone when it begins with the percentage. */
export function likelihood({ score, basis }: NonNullable<IncidentPart["confidence"]>): string {
  const percentage = `${Math.round(score * 100)}%`;
  if (basis.startsWith(percentage)) return basis;
  return `${percentage}${basis === "" ? "" : ` (${basis})`}`;
}

export function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** `2026-03-01 12:00:00 UTC`: the reader's time zone is unknown. */
export function utcTime(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
