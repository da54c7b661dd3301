import type { ProcessState } from "../../findings/telemetry-facts.ts";
import type { LinkWords } from "../../words/link-words.ts";
import { bytes, inlineCode, percent } from "../../words/prose.ts";
import type { LinkArgs } from "../link.ts";

type Args = LinkArgs["process"];

/** The words for a process that wasn't healthy. */
export const process: LinkWords<Args> = {
  what: ({ state }) => processText(state),
  fix: ({ state }) => {
    const { service, host, resource } = state;
    if (resource === "restart") return null;
    return { title: `Restart ${inlineCode(service)} on ${inlineCode(host)}`, detail: `${upper(processText(state))}.` };
  },
  prevent: ({ state: { service, resource } }) => {
    if (resource === "memory")
      return {
        title: `Find what ${inlineCode(service)} keeps in memory`,
        detail: "Take a heap snapshot early and one when memory is half full, and compare what grew.",
      };
    if (resource === "event-loop")
      return {
        title: `Find what blocks the event loop of ${inlineCode(service)}`,
        detail: "Profile the process under load, and move long computations to a worker thread.",
      };
    return resource === "exit"
      ? {
          title: `Find out how ${inlineCode(service)} ended`,
          detail: "Keep its exit code and last log lines, and have a supervisor restart it.",
        }
      : null;
  },
  confirmedBy: ({ state: { service, host, resource } }) =>
    resource === "restart"
      ? null
      : `the failure stops after ${inlineCode(service)} on ${inlineCode(host)} is restarted`,
  ruledOutBy: ({ state: { service, host, resource } }) =>
    resource === "restart"
      ? null
      : `the failure also occurs in processes other than ${inlineCode(service)} on ${inlineCode(host)}`,
};

/** What the heartbeats show of a process, as a clause. */
export function processText(state: ProcessState): string {
  const where = `${inlineCode(state.service)} on ${inlineCode(state.host)}`;
  switch (state.resource) {
    case "memory": {
      const { fromBytes, toBytes, limitBytes, since, climbs } = state;
      const share = limitBytes === null ? "" : `, ${percent(toBytes / limitBytes)} of its limit`;
      return climbs
        ? `memory of ${where} grew from ${bytes(fromBytes)} to ${bytes(toBytes)} since ${since}${share}`
        : `memory of ${where} was at ${bytes(toBytes)}${share}`;
    }
    case "event-loop":
      return `the event loop of ${where} was blocked for ${Math.round(state.delayMs)} ms`;
    case "exit": {
      const others =
        state.othersReporting === 0
          ? "none of its other processes reports"
          : `${state.othersReporting} of its other processes still ${state.othersReporting === 1 ? "reports" : "report"}`;
      return `${where} has sent nothing since ${state.lastAt} and didn't report a shutdown; ${others}`;
    }
    case "restart":
      return `${where} restarted at ${state.at}; the process before it ${state.previous.shutDownCleanly ? "shut down cleanly" : "stopped without shutting down"} and was last seen at ${state.previous.lastAt}`;
  }
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
