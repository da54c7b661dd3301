import type { ChangeEvent, OutsideSource } from "@whence/protocol";
import type { Advice, LinkWords } from "../../words/link-words.ts";
import { capital, duration, inlineCode } from "../../words/prose.ts";
import { personText } from "./person.ts";

/** The arguments of the words for a change. */
export interface ChangeEventLink {
  readonly change: ChangeEvent & OutsideSource;
  /** When the failure was first seen, or when a process last reported. RFC 3339. */
  readonly firstSeen: string;
  /** Whether `firstSeen` is when the failure was announced, without having been seen. */
  readonly isAnnounced: boolean;
  /** For a deployment: whether a comparison of releases shows that it caused the failure. */
  readonly isCompared: boolean;
  /** The affected host, where a request or job called it. */
  readonly host: string | null;
}

/** The words for a change that a connected third party reports. */
export const changeEventLink: LinkWords<ChangeEventLink> = {
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

/** Returns who changed what, and when; with `isTitled`, the vendor's own title is included. */
export function changedText({ change: one, firstSeen, isAnnounced }: ChangeEventLink, isTitled: boolean): string {
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

const verbs: Readonly<Record<ChangeEvent["what"], Verb>> = {
  deployment: verb("deployed", "was deployed", "a new version"),
  release: verb("released", "was released", "a new version"),
  rollout: verb("rolled out", "was rolled out", "a new version"),
  configuration: changeOf("the configuration"),
  dns: changeOf("DNS"),
  firewall: changeOf("the firewall"),
  "feature-flag": changeOf("a feature flag"),
};

const undoing: Readonly<Record<ChangeEvent["what"], string>> = {
  deployment: "the deployment",
  release: "the release",
  rollout: "the rollout",
  configuration: "the configuration change",
  dns: "the DNS change",
  firewall: "the firewall change",
  "feature-flag": "the feature flag change",
};

function isDeployment(what: ChangeEvent["what"]): boolean {
  return what === "deployment" || what === "release" || what === "rollout";
}

function whenChanged(at: string, firstSeen: string, isAnnounced: boolean): string {
  const beforeMs = Date.parse(firstSeen) - Date.parse(at);
  if (isAnnounced) return `${beforeMs > 0 ? `${duration(beforeMs)} before` : "when"} the failure was reported`;
  return beforeMs > 0 ? `${duration(beforeMs)} before the first failure` : "at the time of the first failure";
}

/** Null where a comparison supports a rollback: the release says to what. */
function changeFix(args: ChangeEventLink): Advice | null {
  const { change: one, isCompared } = args;
  const { what, vendor, target } = one;
  if (isCompared) return null;
  const of = target === null ? "" : ` of ${inlineCode(target)}`;
  const detail = `${capital(changedText(args, true))}.`;
  if (!isDeployment(what)) return { title: `Undo ${undoing[what]}${of} in ${vendor}`, detail };
  return {
    title: `Look at ${undoing[what]}${of} in ${vendor}`,
    detail: `${detail} Read what it changed. No comparison of releases shows yet that it caused the failure.`,
  };
}
