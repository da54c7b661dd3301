import { z } from "zod";
import { outsideFindingSchema, outsideProblems, outsideText } from "../outside-finding.ts";
import { factKind } from "./fact-kind.ts";

export const outside = factKind({
  name: "outside",
  means: "What a connected third party says about the time around the failure",
  data: z.object({ outside: outsideFindingSchema }),
  example: {
    outside: {
      kind: "problem",
      vendor: "PagerDuty",
      url: null,
      what: "outage",
      title: "Database down",
      target: "orders-db",
      since: "2026-03-01T09:50:00.000Z",
      until: "2026-03-01T10:20:00.000Z",
    },
  },
  evidence: ({ outside: finding }) => outsideText(finding),
  isComputed: true,
  problems: ({ outside: finding }) => outsideProblems(finding),
  // Those related to the failure are listed separately.
  isMoment: () => false,
});
