import type { Findings } from "../findings/findings.ts";
import type { LocatedFrame } from "../findings/located-frame.ts";
import type { Candidate } from "../rank/candidate.ts";
import { isInstalledName, packageOf } from "../source/installed-package.ts";
import type { Link } from "./link.ts";
import type { Messages } from "./messages.en.ts";
import type { ShownPath } from "./shown-path.ts";

/** Returns the name of a link: its place, its release, its service; null when it has none. */
export function nounOf(link: Link, messages: Messages): string | null {
  if (link.kind === "code" || link.kind === "frame" || link.kind === "off-stack")
    return messages.place(link.args.place);
  if (link.kind === "failure" && link.args.place) return messages.place(link.args.place);
  if (link.kind === "deploy") return messages.releaseName(link.args.deploy);
  if (link.kind === "dependency" || link.kind === "setting" || link.kind === "input")
    return messages.noun(link.args.name);
  if (link.kind === "failing-calls") return messages.noun(link.args.calls.service ?? link.args.calls.host);
  if (link.kind === "call") return messages.noun(link.args.call.host);
  return link.service === null ? null : messages.noun(link.service);
}

/** Returns the name of what a candidate is about; null when only the failure itself is known. */
export function subjectNoun(
  { subject }: Pick<Candidate, "subject">,
  messages: Messages,
  shown: ShownPath,
): string | null {
  switch (subject.kind) {
    case "place":
      return messages.place({ file: shown(subject.file), line: subject.line, function: subject.function });
    case "release":
      return messages.releaseName(subject);
    case "dependency":
    case "setting":
    case "input":
      return messages.noun(subject.name);
    case "service":
    case "process":
      return subject.service === "" ? null : messages.noun(subject.service);
  }
}

/** Returns the link of a chain that is the candidate itself, rather than its cause or effect. */
export function ownLinkOf(candidate: Candidate, chain: readonly Link[]): Link {
  const found = linkOf(candidate, chain) ?? chain[0];
  if (!found) throw new TypeError("a chain has at least one link");
  return found;
}

/** Returns whether a candidate is a link of another's chain, which makes them one story. */
export function isOnChain(candidate: Candidate, chain: readonly Link[]): boolean {
  return linkOf(candidate, chain) !== undefined;
}

function linkOf({ subject, service }: Candidate, chain: readonly Link[]): Link | undefined {
  return chain.find((link) => {
    if (subject.kind === "place") return link.location?.file === subject.file && link.location.line === subject.line;
    if (subject.kind === "release") return link.kind === "deploy" && link.release === subject.release;
    if (subject.kind === "service" || subject.kind === "process") return link.service === service;
    return link.kind === subject.kind;
  });
}

/** Returns whether a place is in an installed package, by its path or by how the stack marks it. */
export function isInstalledPlace(
  file: string,
  frames: readonly LocatedFrame[],
  files: Findings["files"] = [],
): boolean {
  const frame = frames.find((one) => one.file === file);
  return isInstalledName(file) || (frame !== undefined && isInstalledFrame(frame, files));
}

/** The folder in which a Python package ships copies of others. */
const shipped = /(?:^|\/)_vendor\//;

/**
 * Returns whether a frame is in an installed package. A file that was given without being in one is the project's own:
 * the stack shows where the project was installed.
 */
export function isInstalledFrame({ file, frame }: LocatedFrame, files: Findings["files"]): boolean {
  const isOwn = files.some(({ name }) => name === file) && packageOf(file) === "" && !shipped.test(file);
  return frame.origin === "dependency" && !isOwn;
}
