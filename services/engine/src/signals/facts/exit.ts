import { z } from "zod";
import { linked } from "../kind.ts";
import { exitSchema } from "./exit-fact.ts";
import { exitLink, exitText } from "./exit-link.ts";
import { figuresOfReason } from "./exit-reason.ts";
import { factKind } from "./fact-kind.ts";

const fact = factKind({
  name: "exit",
  means: "How processes may have ended, by their heartbeats",
  data: z.object({ exit: exitSchema }),
  example: {
    exit: {
      ...{
        kind: "out-of-memory",
        service: "orders",
        hosts: ["host-1"],
        services: ["orders"],
        processes: 3,
        likelihood: 0.7,
      },
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
  isMoment: () => false,
  // Its reasons are listed instead.
  isSupport: () => false,
});

export const exit = linked(fact, exitLink);
