import { z } from "zod";
import { SourceText } from "../../source/source-text.ts";
import type { LinkWords } from "../../words/link-words.ts";
import { inlineCode } from "../../words/prose.ts";
import { linked } from "../kind.ts";
import { inputKind } from "./input-kind.ts";
import { quoted } from "./quoted.ts";

const alertSchema = quoted
  .extend({
    /** The system that sent it. */
    system: z.string(),
    name: z.string(),
    /** In the system's own words: `firing`, `ALARM`, `triggered`. */
    status: z.string().nullable(),
    severity: z.string().nullable(),
    /** Its description in words. */
    summary: z.string(),
    /** RFC 3339. */
    startedAt: z.string().nullable(),
    labels: z.record(z.string(), z.string()).readonly(),
  })
  .readonly();

/** What a monitoring system sent. */
export type Alert = z.output<typeof alertSchema>;

/** The words for an alert, as a link. */
const alertLink: LinkWords<{ readonly alert: Alert }> = {
  what: ({ alert: { system, name, summary } }) =>
    summary === "" || summary === name
      ? `${system} reports ${inlineCode(name)}`
      : `${system} reports ${inlineCode(name)}: ${inlineCode(summary)}`,
};

const input = inputKind({
  name: "alert",
  means: "What a monitoring system sent",
  data: z.object({ alert: alertSchema }),
  example: {
    alert: {
      ...{ source: new SourceText("error_log", "error log", "High error rate"), printed: { start: 0, end: 15 } },
      ...{ system: "Alertmanager", name: "HighErrorRate", status: "firing", severity: "critical" },
      ...{ summary: "High error rate", startedAt: "2026-03-01T10:00:00.000Z", labels: { service: "orders" } },
    },
  },
  evidence: ({ alert: one }) => alertText(one),
});

export const alert = linked(input, alertLink);

function alertText({ system, name, status, severity, summary, startedAt }: Alert): string {
  const marks = [status, severity].flatMap((mark) => (mark === null ? [] : [mark.toLowerCase()]));
  const marked = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  const since = startedAt === null ? "" : ` since ${startedAt}`;
  const says = summary === name || summary === "" ? "" : `: ${inlineCode(summary)}`;
  return `${system} reports ${inlineCode(name)}${marked}${since}${says}`;
}
