import type { Impact, OutsideFinding } from "@whence/protocol";
import { count, inlineCode, list, percent } from "../../words/prose.ts";
import type { Answered } from "../extent.ts";

/** The affected users and requests, and the start of the failure. */
export const impact = {
  totals: ({ events, services, routes, hosts, first_seen: since }: Omit<Impact, "summary">): string =>
    `${[
      count(events, "event"),
      ...(since === null ? [] : [`since ${since}`]),
      ...(services.length > 0 ? [`in ${list(services.map(inlineCode))}`] : []),
      ...(routes.length > 0 ? [`on ${list(routes.map(inlineCode))}`] : []),
      ...(hosts.length > 1 ? [`on ${count(hosts.length, "host")}`] : []),
    ].join(" ")}.`,
  first: (): string => "This is the first known event of this failure.",
  share: (service: string, { failed, requests, since, isInPart }: Answered): string => {
    const counted = count(requests, isInPart ? "counted request" : "request");
    return failed === 0
      ? `${inlineCode(service)} answered all ${counted} since ${since} without a server error.`
      : `${failed} of ${counted} to ${inlineCode(service)} since ${since} failed (${percent(failed / requests)}).`;
  },
  shareUnknown: (service: string): string =>
    `Heartbeats of ${inlineCode(service)} haven't reported request counts since then.`,
  logged: (times: number, from: string | null, to: string | null): string => {
    const often = times === 1 ? "once" : `${times} times`;
    if (from === null) return `Logged ${often}.`;
    return to === null || to === from ? `Logged ${often}, at ${from}.` : `Logged ${often}, from ${from} to ${to}.`;
  },
  firstSign: (at: string): string => `The first warning is from ${at}.`,
  alerting: (system: string, since: string | null): string =>
    since === null ? `${system} raised an alert.` : `${system} raised an alert at ${since}.`,
  unknown: (): string => "Unknown: the text doesn't say how often it happens or who is affected.",
  record: ({ vendor, what, title, target }: Extract<OutsideFinding, { readonly kind: "record" }>): string => {
    const of = target === null || target === "" ? "" : ` for ${inlineCode(target)}`;
    if (what === "on-call") return `On call${of} in ${vendor}: ${inlineCode(title)}.`;
    return `${vendor} knows this failure as ${inlineCode(title)}.`;
  },
  exit: (processes: number, services: readonly string[], others: number | null): string => {
    const gone = `${count(processes, "process", "processes")} of ${list(services.map(inlineCode))} stopped without shutting down.`;
    if (others === null) return gone;
    return `${gone} ${others === 0 ? "No other process was reporting" : `${count(others, "other process", "other processes")} ${others === 1 ? "was" : "were"} still reporting`} when this was noticed.`;
  },
} as const;
