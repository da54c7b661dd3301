import { hash } from "node:crypto";
import { type BatchHeader, limits, monitoredEnv } from "@whence/protocol";
import { cutText } from "../mapping/bounded-data.ts";
import type { Attributes } from "./any-value.ts";
import { numberOf, textOf } from "./attribute.ts";

/** Our names for the runtimes of the languages that SDKs name. */
const runtimes: ReadonlyMap<string, string> = new Map([
  ["nodejs", "node"],
  ["webjs", "browser"],
]);
/** What programs call the environment that is investigated. */
const productionName = /^prod(?:uction)?$/i;
/** What names the service of a container that says nothing of it: what Kubernetes runs, or else the container. */
const workloads = [
  "k8s.deployment.name",
  "k8s.statefulset.name",
  "k8s.daemonset.name",
  "k8s.cronjob.name",
  "k8s.job.name",
  "k8s.container.name",
  "container.name",
];
/** What the specification says for a service that has no name. */
const unnamedService = "unknown_service";

const text = (value: string): string => cutText(value, limits.textLengthMax);
const name = (value: string): string => cutText(value, limits.serviceLengthMax);

/**
 * Returns what a resource says of all its spans and records: service, release, environment, host, and process, by the
 * stable names of the semantic conventions and by their old ones.
 */
export function batchHeaderOf(resource: Attributes, receivedAt: string): BatchHeader {
  const language = textOf(resource, "telemetry.sdk.language") ?? "";
  const service = textOf(resource, "service.name", ...workloads) ?? unnamedService;
  const env = envOf(textOf(resource, "deployment.environment.name", "deployment.environment"));
  const release = textOf(resource, "service.version", "vcs.ref.head.revision", "vcs.repository.ref.revision");
  const host = textOf(resource, "host.name", "k8s.pod.name", "container.id", "host.id") ?? "";
  const pid = numberOf(resource, "process.pid") ?? 0;
  return {
    sdk: {
      name: text(`${textOf(resource, "telemetry.sdk.name") ?? "opentelemetry"}${language && `/${language}`}`),
      version: text(textOf(resource, "telemetry.sdk.version") ?? ""),
    },
    service: name(service),
    env: name(env),
    ...(release !== undefined && { release: text(release) }),
    host: {
      name: text(host),
      pid,
      runtime: {
        name: text(runtimes.get(language) ?? language),
        version: text(textOf(resource, "process.runtime.version") ?? ""),
      },
      os: text(textOf(resource, "os.type") ?? ""),
      arch: text(textOf(resource, "host.arch") ?? ""),
    },
    sent_at: receivedAt,
    instance: name(textOf(resource, "service.instance.id") ?? instanceOf([service, env, release, host, pid, language])),
  };
}

function envOf(given: string | undefined): string {
  return given === undefined || productionName.test(given) ? monitoredEnv : given;
}

/** Identifies a process by what its resource names, if that names no instance. */
function instanceOf(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts)).slice(0, 32);
}
