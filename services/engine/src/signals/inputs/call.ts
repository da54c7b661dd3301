import { httpBreadcrumbDataSchema } from "@whence/protocol";
import { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import { inlineCode } from "../../words/prose.ts";
import { linked } from "../kind.ts";
import { inputKind } from "./input-kind.ts";

const callSchema = z
  .object({
    index: z.number(),
    at: z.string(),
    data: httpBreadcrumbDataSchema,
    /** The host of the URL; the URL itself when it can't be parsed. */
    host: z.string(),
    /** Why the response is suspicious; null when it looks healthy. */
    trouble: z.string().nullable(),
    /**
     * Whether it can have led to the error: it belongs to the event's own request or job; or there is no request, and
     * the error is about it or its response failed. The process's other calls are context.
     */
    isRelated: z.boolean(),
  })
  .readonly();

/** An `http` breadcrumb in parsed form. */
export type OutgoingCall = z.output<typeof callSchema>;

/** The words for an outgoing call, as a link. */
const callLink: LinkWords<{ readonly call: OutgoingCall }> = {
  what: ({ call }) => callText(call),
  fix: ({ call }) => ({
    title: `Check ${inlineCode(call.host)}`,
    detail: `Read its log for this call: ${callText(call)}.`,
  }),
  prevent: ({ call }) => ({
    title: `Check the response of ${inlineCode(call.host)} before reading it`,
    detail: "Test status and content type first, and fail with an error that names the host.",
  }),
  confirmedBy: ({ call }) => `the log of ${inlineCode(call.host)} shows an error for this call`,
  ruledOutBy: ({ call }) => `the log of ${inlineCode(call.host)} shows that it answered this call as usual`,
};

const input = inputKind({
  name: "call",
  means: "An outgoing request before the error, and how it ended",
  data: z.object({ call: callSchema }),
  example: {
    call: {
      index: 0,
      at: "2026-03-01T09:59:59.000Z",
      host: "payments:8080",
      trouble: "status 503",
      isRelated: true,
      data: { method: "GET", url: "http://payments:8080/payments/1", status_code: 503, duration_ms: 12 },
    },
  },
  evidence: ({ call: one }) => callText(one),
  figures: ({ call: { data } }) => (data.duration_ms === undefined ? [] : [Math.round(data.duration_ms)]),
});

export const call = linked(input, callLink);

/** Returns an outgoing call and its outcome. */
export function callText({ data, host, trouble }: OutgoingCall): string {
  const path = URL.canParse(data.url) ? new URL(data.url).pathname : "";
  const took = data.duration_ms === undefined ? "" : ` after ${Math.round(data.duration_ms)} ms`;
  return `${inlineCode(`${data.method} ${host}${path}`)} ${outcome(trouble, data.status_code)}${took}`;
}

function outcome(trouble: string | null, status: number | undefined): string {
  if (trouble === null) return status === undefined ? "has no answer yet" : `returned ${status}`;
  const failed = "failed: ";
  if (trouble.startsWith(failed)) return `failed with ${inlineCode(trouble.slice(failed.length))}`;
  return status === undefined ? trouble : `returned ${status}`;
}
