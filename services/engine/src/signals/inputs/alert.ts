import { z } from "zod";
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
  evidence: ({ alert: one }) => alertText(one),
});

function alertText({ system, name, status, severity, summary, startedAt }: Alert): string {
  const marks = [status, severity].flatMap((mark) => (mark === null ? [] : [mark.toLowerCase()]));
  const marked = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  const since = startedAt === null ? "" : ` since ${startedAt}`;
  const says = summary === name || summary === "" ? "" : `: ${inlineCode(summary)}`;
  return `${system} reports ${inlineCode(name)}${marked}${since}${says}`;
}
