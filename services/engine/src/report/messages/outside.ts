import type { OutsideChange, OutsideFinding, OutsideLog, OutsideProblem, OutsideRecord } from "@whence/protocol";
import { count, inlineCode } from "../../words/prose.ts";

/** What a third party says, in a clause that names it. */
export function outsideText(finding: OutsideFinding): string {
  switch (finding.kind) {
    case "change":
      return `${finding.vendor}: ${changeText(finding)}`;
    case "problem":
      return `${finding.vendor}: ${problemText(finding)}`;
    case "log":
      return `${finding.vendor} has ${logText(finding)}`;
    case "record":
      return `${finding.vendor}: ${recordText(finding)}`;
  }
}

const changes: Readonly<Record<OutsideChange["what"], string>> = {
  deployment: "deployment",
  release: "release",
  rollout: "rollout",
  configuration: "configuration change",
  dns: "DNS change",
  firewall: "firewall change",
  "feature-flag": "feature flag change",
};

function changeText({ what, title, target, at, by, failed }: OutsideChange): string {
  const outcome = failed ? "failed " : "";
  const of = target === null ? "" : ` of ${inlineCode(target)}`;
  const who = by === null ? "" : ` by ${personText(by)}`;
  return `${outcome}${changes[what]}${of} at ${at}${who}: ${inlineCode(title)}`;
}

const problems: Readonly<Record<OutsideProblem["what"], (of: string) => string>> = {
  alarm: (of) => `alarm on ${of} since`,
  outage: (of) => `outage of ${of} since`,
  incident: (of) => `incident on ${of} since`,
  "out-of-memory": (of) => `${of} was killed for using too much memory at`,
  "crash-loop": (of) => `${of} has been restarting again and again since`,
  restart: (of) => `${of} restarted at`,
  unschedulable: (of) => `${of} hasn't been scheduled since`,
  "failed-check": (of) => `failed check of ${of} since`,
  "image-pull": (of) => `image of ${of} not pulled since`,
  stopped: (of) => `${of} stopped at`,
  "failing-requests": (of) => `failing requests to ${of} since`,
  "slow-requests": (of) => `slow requests to ${of} since`,
  saturation: (of) => `${of} saturated since`,
};

function problemText({ what, title, target, since, until }: OutsideProblem): string {
  const end = until === null || until === since ? "" : ` until ${until}`;
  const titled = target === null || target === title ? "" : `: ${inlineCode(title)}`;
  return `${problems[what](inlineCode(target ?? title))} ${since}${end}${titled}`;
}

function logText({ level, message, source, count: times }: OutsideLog): string {
  const from = source === null ? "" : ` from ${inlineCode(source)}`;
  return `${count(times, level === null ? "log line" : `${level} log line`)}${from}: ${inlineCode(message)}`;
}

const records: Readonly<Record<OutsideRecord["what"], string>> = {
  "error-group": "issue",
  issue: "issue",
  incident: "incident",
  "on-call": "on call",
};

function recordText({ what, title, target }: OutsideRecord): string {
  const of = target === null ? "" : ` for ${inlineCode(target)}`;
  return `${records[what]}${of}: ${inlineCode(title)}`;
}

/** A name as people write it; anything else is shown as code, since it comes from outside. */
export function personText(name: string): string {
  const isName = /^\p{L}[\p{L}\p{M}'’ -]{0,60}$/u.test(name);
  return isName ? name : inlineCode(name);
}
