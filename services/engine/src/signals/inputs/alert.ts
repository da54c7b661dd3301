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

/** The system of the alerts that a monitor of the service raised. */
export const ownSystem = "Whence";

/** Words that can stand in a sentence as they are: without markup, addresses, and citations. */
const plainWords = /^[\p{L}\p{N} .,:%“”/+-]+$/u;

/** Returns what a monitor found: the checked thing as code, and what was found as a clause. */
function finding(summary: string): string {
  const [subject = "", ...words] = summary.split(" ");
  const rest = words.join(" ");
  return plainWords.test(rest) && !rest.includes("://") ? `${inlineCode(subject)} ${rest}` : inlineCode(summary);
}

/** The words for an alert, as a link. */
const alertLink: LinkWords<{ readonly alert: Alert }> = {
  what: ({ alert: { system, name, summary } }) => {
    if (summary === "" || summary === name) return `${system} reports ${inlineCode(name)}`;
    return system === ownSystem ? finding(summary) : `${system} reports ${inlineCode(name)}: ${inlineCode(summary)}`;
  },
};

const input = inputKind({
  name: "alert",
  means: "What a monitoring system sent",
  data: z.object({ alert: alertSchema }),
  example: {
    alert: {
      source: new SourceText("error_log", "error log", "High error rate"),
      printed: { start: 0, end: 15 },
      system: "Alertmanager",
      name: "HighErrorRate",
      status: "firing",
      severity: "critical",
      summary: "High error rate",
      startedAt: "2026-03-01T10:00:00.000Z",
      labels: { service: "orders" },
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
