import { z } from "zod";
import { exitSchema } from "./exit-fact.ts";
import { exitLink, exitText } from "./exit-link.ts";
import { figuresOfReason } from "./exit-reason.ts";
import { factKind } from "./fact-kind.ts";

export const exit = factKind({
  name: "exit",
  means: "How processes may have ended, by their heartbeats",
  data: z.object({ exit: exitSchema }),
  evidence: ({ exit: one }) => exitText(one),
  figures: ({ exit: { hosts, reasons } }) => [hosts.length, ...reasons.flatMap(figuresOfReason)],
  isComputed: true,
  isMoment: () => false,
  // Its reasons are listed instead.
  isSupport: () => false,
  link: exitLink,
});
