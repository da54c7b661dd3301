import { z } from "zod";
import { count, inlineCode, list } from "../../words/prose.ts";
import { factKind, isLater } from "./fact-kind.ts";

/** The name of the source. */
export const queriedSource = "telemetry asked for by a model";

const servicesNamed = 3;

/** What {@link QueriedTelemetry} accepts, in a stored report too. */
export const queriedTelemetrySchema = z
  .object({
    /** `answers` are minutes in which a service answered requests. */
    what: z.enum(["failures", "answers", "processes"]),
    env: z.string(),
    /** RFC 3339, `from` included and `to` excluded. */
    from: z.string(),
    to: z.string(),
    /** As the store has them, each with its service. */
    rows: z
      .array(z.looseObject({ service: z.string() }).readonly())
      .min(1)
      .readonly(),
  })
  .readonly();

/** The rows of telemetry that a language model asked for. */
export type QueriedTelemetry = z.output<typeof queriedTelemetrySchema>;

const nouns: Readonly<Record<QueriedTelemetry["what"], readonly [string, string]>> = {
  failures: ["failure", "failures"],
  answers: ["minute of answers", "minutes of answers"],
  processes: ["process", "processes"],
};

export const queriedTelemetry = factKind({
  name: "queried-telemetry",
  means: "Rows of telemetry that a language model asked for and quotes",
  data: z.object({ queried: queriedTelemetrySchema }),
  example: {
    queried: {
      what: "failures",
      env: "prod",
      from: "2026-03-01T09:45:00.000Z",
      to: "2026-03-01T10:01:00.000Z",
      rows: [{ service: "stock", events: 31, before: 0, firstAt: "2026-03-01T09:58:00.000Z" }],
    },
  },
  evidence: ({ queried: { what, env, from, to, rows } }) => {
    const [services, others] = servicesIn(rows);
    const named = list([...services.map(inlineCode), ...(others > 0 ? [count(others, "other")] : [])]);
    return `a language model read ${count(rows.length, ...nouns[what])} of ${named} in ${inlineCode(env)}, from ${from} to ${to}`;
  },
  figures: ({ queried: { rows } }) => [rows.length, servicesIn(rows)[1]],
  isComputed: true,
  isFromModel: true,
  problems: ({ queried: { from, to } }) => (isLater(from, to) ? ["it ends before it begins"] : []),
  isMoment: () => false,
  // Rows prove nothing on their own: what a model quotes of them does.
  isSupport: () => false,
});

/** Returns the first services of rows, and how many others there are. */
function servicesIn(rows: QueriedTelemetry["rows"]): [readonly string[], number] {
  const services = [...new Set(rows.map(({ service }) => service))];
  return [services.slice(0, servicesNamed), Math.max(0, services.length - servicesNamed)];
}
