import { categorySchema } from "@whence/protocol";
import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

const similarIncidentSchema = z
  .object({
    id: z.string(),
    at: z.string(),
    likeness: z.enum(["same failure", "same service and message", "similar message"]),
    category: categorySchema.nullable(),
    summary: z.string(),
    /** People's verdict on that report. */
    verdict: z.enum(["right", "wrong", "partly"]).nullable(),
  })
  .readonly();

/** An earlier incident that resembles this one, and what was found then. */
export type SimilarIncident = z.output<typeof similarIncidentSchema>;

export const similarIncident = factKind({
  name: "similar-incident",
  means: "An earlier incident that resembles this one, and what was found then",
  data: z.object({ similar: similarIncidentSchema }),
  example: {
    similar: {
      id: "inc_7",
      at: "2026-02-11T09:00:00.000Z",
      likeness: "same failure",
      category: "timeout",
      summary: "The connection pool was exhausted.",
      verdict: "right",
    },
  },
  evidence: ({ similar: { id, at, likeness, summary, verdict } }) => {
    const found = summary === "" ? "no cause was found" : `found ${inlineCode(summary)}`;
    const judged = { right: "confirmed", wrong: "rejected", partly: "partly confirmed" };
    return `incident ${inlineCode(id)} of ${at} (${likeness}): ${found}; ${verdict === null ? "not reviewed" : judged[verdict]}`;
  },
  isComputed: true,
  isMoment: () => false,
});
