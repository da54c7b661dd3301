import { z } from "zod";
import { count } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

export const recordsLeftOut = gapKind({
  name: "records-left-out",
  means: "Log lines beyond the number that is read",
  args: z.object({ records: z.number() }),
  example: { records: 40 },
  sentence: ({ records }) => `Text: ${count(records, "more log line")} not read.`,
});
