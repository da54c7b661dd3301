import { hourMs } from "@whence/protocol";
import type { ScopedEvents } from "@whence/storage";
import { z } from "zod";
import { modelRunLimits } from "./limits.ts";

/** A typed question to the telemetry of one scope. Never a query in a language. */
export const telemetryQuestionSchema = z.object({
  what: z.enum(["failures", "answers", "processes"]),
  service: z.string().max(200).nullish(),
  minutesBefore: z.int().min(1).max(240).describe("How far back from the failure"),
});
type TelemetryQuestion = z.infer<typeof telemetryQuestionSchema>;

/** The moment and place that questions are about. */
export interface Asked {
  readonly env: string;
  /** RFC 3339. */
  readonly at: string;
}

const minuteMs = hourMs / 60;

/** Answers a question with rows, newest or most frequent first. */
export async function askTelemetry(
  events: ScopedEvents,
  { what, service, minutesBefore }: TelemetryQuestion,
  { env, at }: Asked,
): Promise<readonly unknown[]> {
  const { rows: limit } = modelRunLimits;
  const from = new Date(Date.parse(at) - minutesBefore * minuteMs).toISOString();
  const span = { env, from, to: new Date(Date.parse(at) + minuteMs).toISOString() };
  const isOf = (row: { readonly service: string }): boolean => !service || row.service === service;
  switch (what) {
    case "failures":
      return (await events.failures({ ...span, limit })).filter(isOf);
    case "answers":
      return service ? (await events.answers({ ...span, service })).slice(-limit) : [];
    case "processes":
      return (await events.processes({ env, since: from, limit })).filter(isOf);
  }
}
