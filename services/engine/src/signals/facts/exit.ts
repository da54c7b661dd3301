import { z } from "zod";
import { linked } from "../kind.ts";
import { type ExitFact, exitSchema } from "./exit-fact.ts";
import { exitLink, exitText, possibleFrom } from "./exit-link.ts";
import { figuresOfReason } from "./exit-reason.ts";
import { factKind, isLater } from "./fact-kind.ts";

const fact = factKind({
  name: "exit",
  means: "How processes may have ended, by their heartbeats",
  data: z.object({ exit: exitSchema }),
  example: {
    exit: {
      kind: "out-of-memory",
      service: "orders",
      runtime: "node 26.0.0",
      hosts: ["host-1"],
      services: ["orders"],
      processes: 3,
      likelihood: 0.7,
      reasons: [
        { kind: "heap-share", at: "2026-03-01T09:59:00.000Z", usedBytes: 245_000_000, limitBytes: 256_000_000 },
      ],
      loop: {
        firstAt: "2026-03-01T09:45:00.000Z",
        lastAt: "2026-03-01T09:55:00.000Z",
        shortestMs: 240_000,
        longestMs: 300_000,
      },
    },
  },
  evidence: ({ exit: one }) => exitText(one),
  figures: ({ exit: { hosts, reasons } }) => [hosts.length, ...reasons.flatMap(figuresOfReason)],
  isComputed: true,
  problems: ({ exit: one }) => problemsOf(one),
  isMoment: () => false,
  // Its reasons are listed instead.
  isSupport: () => false,
});

/** Reports a wrong order, and a denial that its own reasons contradict: only another witness outweighs a blocked main thread or a kill. */
function problemsOf({ kind, likelihood, reasons, loop }: ExitFact): readonly string[] {
  const [first] = reasons;
  const isDenied = likelihood < possibleFrom;
  return [
    ...(loop !== null && isLater(loop.firstAt, loop.lastAt) ? ["the last start came before the first"] : []),
    ...(loop !== null && loop.shortestMs > loop.longestMs ? ["the shortest run is longer than the longest"] : []),
    ...(isDenied && kind === "hung" && first?.kind === "main-thread-blocked"
      ? ["a process whose main thread was blocked is said not to hang"]
      : []),
    ...(isDenied && kind === "out-of-memory" && first?.kind === "reported-kill"
      ? ["a process that was killed for its memory is said to have had enough"]
      : []),
  ];
}

export const exit = linked(fact, exitLink);
