import type { OutsideChange, OutsideFinding, OutsideProblem } from "@whence/protocol";
import type { Advice, LinkWords } from "../../words/link-words.ts";
import { duration, inlineCode } from "../../words/prose.ts";
import type { LinkArgs } from "../link.ts";
import { personText } from "./outside.ts";

/** The words for what someone changed, as a connected third party reports it. */
export const change: LinkWords<LinkArgs["change"]> = {
  what: (args) => changedText(args, true),
  fix: (args) => changeFix(args),
  confirmedBy: ({ change: { what, vendor }, host }) => {
    if (isDeployment(what)) return `${undoing[what]} in ${vendor} changed the code that fails`;
    if (what === "dns" && host !== null)
      return `${inlineCode(host)} resolves to another address than before the change in ${vendor}`;
    return `the failure stops once ${undoing[what]} in ${vendor} is undone`;
  },
  ruledOutBy: ({ change: { what, vendor } }) =>
    isDeployment(what)
      ? `the failure occurs in processes that run the version before ${undoing[what]} in ${vendor}`
      : `the failure continues after ${undoing[what]} in ${vendor} is undone`,
};

/** Who changed what, and when; `isTitled`: with the vendor's own title. */
export function changedText({ change: one, firstSeen, isAnnounced }: LinkArgs["change"], isTitled: boolean): string {
  const { what, by, title, target, vendor, failed } = one;
  const object = target === null ? "" : inlineCode(target);
  const done = verbs[what];
  const said = by === null ? done.passive(object) : `${personText(by)} ${done.active(object)}`;
  const isNew = title !== "" && title !== target;
  const named = isNew && (isTitled || target === null) ? ` (${inlineCode(title)})` : "";
  return `${said}${named} in ${vendor} ${whenChanged(one.at, firstSeen, isAnnounced)}${failed === true ? ", which failed" : ""}`;
}

interface Verb {
  readonly active: (object: string) => string;
  readonly passive: (object: string) => string;
}

function verb(active: string, passive: string, nameless: string): Verb {
  return {
    active: (object) => (object === "" ? `${active} ${nameless}` : `${active} ${object}`),
    passive: (object) => (object === "" ? `${nameless} ${passive}` : `${object} ${passive}`),
  };
}

function changeOf(thing: string): Verb {
  const named = (object: string): string => (object === "" ? thing : `${thing} of ${object}`);
  return { active: (object) => `changed ${named(object)}`, passive: (object) => `${named(object)} was changed` };
}

const verbs: Readonly<Record<OutsideChange["what"], Verb>> = {
  deployment: verb("deployed", "was deployed", "a new version"),
  release: verb("released", "was released", "a new version"),
  rollout: verb("rolled out", "was rolled out", "a new version"),
  configuration: changeOf("the configuration"),
  dns: changeOf("DNS"),
  firewall: changeOf("the firewall"),
  "feature-flag": changeOf("a feature flag"),
};

const undoing: Readonly<Record<OutsideChange["what"], string>> = {
  deployment: "the deployment",
  release: "the release",
  rollout: "the rollout",
  configuration: "the configuration change",
  dns: "the DNS change",
  firewall: "the firewall change",
  "feature-flag": "the feature flag change",
};

function isDeployment(what: OutsideChange["what"]): boolean {
  return what === "deployment" || what === "release" || what === "rollout";
}

function whenChanged(at: string, firstSeen: string, isAnnounced: boolean): string {
  const beforeMs = Date.parse(firstSeen) - Date.parse(at);
  if (isAnnounced) return `${beforeMs > 0 ? `${duration(beforeMs)} before` : "when"} the failure was reported`;
  return beforeMs > 0 ? `${duration(beforeMs)} before the first failure` : "at the time of the first failure";
}

/** Null where a comparison supports going back: the release says to what. */
function changeFix(args: LinkArgs["change"]): Advice | null {
  const { change: one, isCompared } = args;
  const { what, vendor, target } = one;
  if (isCompared) return null;
  const of = target === null ? "" : ` of ${inlineCode(target)}`;
  const detail = `${upper(changedText(args, true))}.`;
  if (!isDeployment(what)) return { title: `Undo ${undoing[what]}${of} in ${vendor}`, detail };
  return {
    title: `Look at ${undoing[what]}${of} in ${vendor}`,
    detail: `${detail} Read what it changed. No comparison of releases shows yet that it caused the failure.`,
  };
}

/** The words for what wasn't well, as a connected third party reports it. */
export const problem: LinkWords<LinkArgs["problem"]> = {
  what: ({ problem: one }) => problemText(one),
  fix: ({ problem: one, isOwnExit }) => (isOwnExit ? null : problemFix(one)),
  prevent: ({ problem: one, isOwnExit }) =>
    one.what === "out-of-memory" && !isOwnExit
      ? {
          title: `Find what ${subjectText(one)} keeps in memory`,
          detail: `Take a heap snapshot early and one when memory is half full, and compare what grew. ${one.vendor} shows when it was killed.`,
        }
      : null,
  confirmedBy: ({ problem: one }) =>
    one.what === "out-of-memory"
      ? `the memory of ${subjectText(one)} reached its limit before ${one.vendor} reported the kill`
      : `the failure stops once ${one.vendor} shows ${subjectText(one)} healthy again`,
  ruledOutBy: ({ problem: one }) => `the failure continues while ${one.vendor} shows ${subjectText(one)} healthy`,
};

type Problem = Extract<OutsideFinding, { readonly kind: "problem" }>;

function problemText(one: Problem): string {
  const { what, vendor, target, title, since } = one;
  const of = subjectText(one);
  const titled = title === "" || title === target || target === null ? "" : ` (${inlineCode(title)})`;
  switch (what) {
    case "out-of-memory":
      return `${of} was killed for using too much memory at ${since}, ${vendor} reports${titled}`;
    case "restart":
      return `${of} restarted at ${since}, ${vendor} reports${titled}`;
    case "crash-loop":
      return `${of} has been restarting again and again since ${since}, ${vendor} reports${titled}`;
    case "unschedulable":
      return `${vendor} hasn't been able to schedule ${of} since ${since}${titled}`;
    case "alarm":
      return `${vendor} raised an alarm on ${of} at ${since}${titled}`;
    case "outage":
      return `${of} has been down since ${since}, ${vendor} reports${titled}`;
    case "incident":
      return `${vendor} has an incident on ${of} since ${since}${titled}`;
    case "image-pull":
      return `${vendor} hasn't been able to pull the image of ${of} since ${since}${titled}`;
    case "stopped":
      return `${of} stopped at ${since}, ${vendor} reports${titled}`;
    case "failing-requests":
      return `requests to ${of} have been failing since ${since}, ${vendor} reports${titled}`;
    case "slow-requests":
      return `requests to ${of} have been slow since ${since}, ${vendor} reports${titled}`;
    case "saturation":
      return `${of} has been saturated since ${since}, ${vendor} reports${titled}`;
    case "failed-check":
      return `a check of ${of} in ${vendor} has failed since ${since}${titled}`;
  }
}

/** What it is about, by the vendor's name or title for it. */
function subjectText({ target, title }: Pick<OutsideProblem, "target" | "title">): string {
  return inlineCode(target ?? title);
}

function problemFix(one: Problem): Advice {
  const { what, vendor, since } = one;
  const of = subjectText(one);
  switch (what) {
    case "out-of-memory":
      return {
        title: `Raise the memory limit of ${of}`,
        detail: `It was killed for using too much memory at ${since}, ${vendor} reports. This buys time until what grows is found.`,
      };
    case "crash-loop":
    case "restart":
      return {
        title: `Find out why ${of} restarts`,
        detail: `Read the last output before a restart, and what changed before ${since}, the time that ${vendor} reports.`,
      };
    case "unschedulable":
      return {
        title: `Make room for ${of}`,
        detail: `Add a node, or lower what it requests: ${vendor} hasn't been able to schedule it since ${since}.`,
      };
    default:
      return {
        title: `Restore ${of} first`,
        detail: `Follow what ${vendor} shows for it since ${since}, and read its errors from that time.`,
      };
  }
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
