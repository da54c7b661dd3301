import { z } from "zod";
import { SourceText } from "../../source/source-text.ts";
import { inlineCode } from "../../words/prose.ts";
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

export const alert = inputKind({
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

function alertText({ system, name, status, severity, summary, startedAt }: Alert): string {
  const marks = [status, severity].flatMap((mark) => (mark === null ? [] : [mark.toLowerCase()]));
  const marked = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  const since = startedAt === null ? "" : ` since ${startedAt}`;
  const says = summary === name || summary === "" ? "" : `: ${inlineCode(summary)}`;
  return `${system} reports ${inlineCode(name)}${marked}${since}${says}`;
}
