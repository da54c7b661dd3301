import { inlineCode } from "./prose.ts";

/** A release of a service. */
export interface NamedRelease {
  readonly service: string;
  readonly release: string;
}

/** A release that may be a return to an earlier one. */
interface ReturnedRelease extends NamedRelease {
  readonly previous: string | null;
  readonly isBack?: boolean;
}

/** Returns `` `payments` 2.0.0 ``, or the release alone if it is named after its service. */
export function nameOf({ service, release: name }: NamedRelease): string {
  return `${inlineCode(service)} ${versionOf({ service, release: name })}`;
}

/** Returns `` `payments` went back from 2.0.1 to 2.0.0 ``; null for a release that isn't a return. */
export function wentBack({ service, release, previous, isBack }: ReturnedRelease): string | null {
  if (!isBack || previous === null) return null;
  return `${inlineCode(service)} went back from ${versionOf({ service, release: previous })} to ${versionOf({ service, release })}`;
}

/** Returns the subject of a sentence about what changed: a release, or the return to it. */
export function changerOf(deploy: ReturnedRelease): string {
  const back = wentBack(deploy);
  return back === null ? nameOf(deploy) : `${back}, which`;
}

/** Returns the part of a release's name that differs among the releases of its service. */
export function versionOf({ service, release: name }: NamedRelease): string {
  const version = name.startsWith(`${service}@`) ? name.slice(service.length + 1) : name;
  return /^v?\d[\w.-]{0,30}$/.test(version) ? version : inlineCode(version);
}
