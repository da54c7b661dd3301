import { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import { inlineCode, list, onHosts } from "../../words/prose.ts";
import { linked } from "../kind.ts";
import { factKind, isLater } from "./fact-kind.ts";

const lastHeartbeatSchema = z
  .object({
    service: z.string(),
    /** Empty when unknown. */
    host: z.string(),
    instance: z.string(),
    /** 0 when unknown. */
    pid: z.number(),
    firstAt: z.string(),
    lastAt: z.string(),
    noticedAt: z.string(),
    /** Whether it still reported with a blocked main thread. */
    isHung: z.boolean(),
  })
  .readonly();

/** A process that stopped reporting. */
export type LastHeartbeatFact = z.output<typeof lastHeartbeatSchema>;

/** The words for processes that stopped reporting. */
const lastHeartbeatLink: LinkWords<{ readonly processes: readonly LastHeartbeatFact[] }> = {
  what: ({ processes }) => {
    const [first] = processes;
    if (!first) return "processes stopped";
    if (processes.length === 1) return lastHeartbeatText(first);
    const services = list([...new Set(processes.map(({ service }) => inlineCode(service)))]);
    return `${processes.length} processes of ${services} stopped without shutting down`;
  },
};

const fact = factKind({
  name: "last-heartbeat",
  means: "A process that stopped reporting without shutting down",
  data: z.object({ lastHeartbeat: lastHeartbeatSchema }),
  example: {
    lastHeartbeat: {
      service: "orders",
      host: "host-1",
      instance: "instance-1",
      pid: 4_711,
      isHung: false,
      firstAt: "2026-03-01T08:00:00.000Z",
      lastAt: "2026-03-01T10:00:00.000Z",
      noticedAt: "2026-03-01T10:03:00.000Z",
    },
  },
  evidence: ({ lastHeartbeat: one }) => lastHeartbeatText(one),
  isComputed: true,
  problems: ({ lastHeartbeat: { lastAt, noticedAt } }) =>
    isLater(lastAt, noticedAt) ? ["an exit was noticed before the last heartbeat"] : [],
});

export const lastHeartbeat = linked(fact, lastHeartbeatLink);

function lastHeartbeatText({ service, host, pid, lastAt, noticedAt, isHung }: LastHeartbeatFact): string {
  const name = `${inlineCode(service)}${pid === 0 ? "" : ` (process ${pid})`}${onHosts([host])}`;
  return isHung
    ? `${name} still reports at ${noticedAt}, but its main thread is blocked`
    : `${name} sent its last heartbeat at ${lastAt}, reported no shutdown and no fatal error, and had sent nothing by ${noticedAt}`;
}
