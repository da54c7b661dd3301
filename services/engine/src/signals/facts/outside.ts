import { z } from "zod";
import { type OutsideFinding, outsideProblems, outsideText } from "../outside-finding.ts";
import { factKind } from "./fact-kind.ts";

export const outside = factKind({
  name: "outside",
  means: "What a connected third party says about the time around the failure",
  data: z.object({ outside: z.custom<OutsideFinding>() }),
  evidence: ({ outside: finding }) => outsideText(finding),
  isComputed: true,
  problems: ({ outside: finding }) => outsideProblems(finding),
  // Those related to the failure are listed separately.
  isMoment: () => false,
});
