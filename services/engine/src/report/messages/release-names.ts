import { inlineCode } from "../../prose.ts";
import type { DeployFact } from "../../telemetry-facts.ts";

/** `` `payments` 2.0.0 ``; a release that is named after its service stands alone. */
export function nameOf({ service, release: name }: Pick<DeployFact, "service" | "release">): string {
  return `${inlineCode(service)} ${versionOf({ service, release: name })}`;
}

/** The part of a release's name that differs among the releases of its service. */
export function versionOf({ service, release: name }: Pick<DeployFact, "service" | "release">): string {
  const version = name.startsWith(`${service}@`) ? name.slice(service.length + 1) : name;
  return /^v?\d[\w.-]{0,30}$/.test(version) ? version : inlineCode(version);
}
