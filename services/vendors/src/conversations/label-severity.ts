import type { Severity } from "@whence/protocol";
import { severityFrom } from "../text/severity-words.ts";

/** `severity: high`, `priority::critical`, `Sev/2`. */
const namedSeverity = /^(?:severity|priority|sev|prio|urgency)\s*(?:::|[:/=_-])\s*(.+)$/i;
/** A label with a single word that can't mean anything else, unlike `minor` and `error`. */
const bareSeverity = /^(?:p[0-5]|sev-?[0-5]|critical)$/i;

/** Returns the severity that the labels of an issue name; null when none does. */
export function severityOfLabels(labels: readonly string[]): Severity | null {
  return severityFrom(
    ...labels.map((label) => {
      const name = label.trim();
      const [, word] = namedSeverity.exec(name) ?? [];
      if (word === undefined) return bareSeverity.test(name) ? name : null;
      return /^\d$/.test(word) ? `sev${word}` : word;
    }),
  );
}
