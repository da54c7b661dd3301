import { inlineCode } from "./prose.ts";

/** A release of a service. */
export interface NamedRelease {
  readonly service: string;
  readonly release: string;
}

/** A release that may have been live before, and is again. */
interface ReturnedRelease extends NamedRelease {
  readonly previous: string | null;
  readonly isBack?: boolean;
}

/** `` `payments` 2.0.0 ``; a release that is named after its service stands alone. */
export function nameOf({ service, release: name }: NamedRelease): string {
  return `${inlineCode(service)} ${versionOf({ service, release: name })}`;
}

/** `` `payments` went back from 2.0.1 to 2.0.0 ``; null for a release that isn't back. */
export function wentBack({ service, release, previous, isBack }: ReturnedRelease): string | null {
  if (!isBack || previous === null) return null;
  return `${inlineCode(service)} went back from ${versionOf({ service, release: previous })} to ${versionOf({ service, release })}`;
}

/** Who changed something, as the subject of what it changed: a release, or the return to it. */
export function changerOf(deploy: ReturnedRelease): string {
  const back = wentBack(deploy);
  return back === null ? nameOf(deploy) : `${back}, which`;
}

/** The part of a release's name that differs among the releases of its service. */
export function versionOf({ service, release: name }: NamedRelease): string {
  const version = name.startsWith(`${service}@`) ? name.slice(service.length + 1) : name;
  return /^v?\d[\w.-]{0,30}$/.test(version) ? version : inlineCode(version);
}
