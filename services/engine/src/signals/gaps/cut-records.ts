import { z } from "zod";
import { count } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const cutRecords = gapKind({
  name: "cut-records",
  means: "JSON records that the text cuts off",
  args: z.object({ records: z.number() }),
  example: { records: 2 },
  sentence: ({ records }) =>
    `Text: ${count(records, "JSON record")} ${records === 1 ? "was" : "were"} cut off and read only up to that point.`,
});
