import type { ParsedError } from "../findings/parsed-error.ts";
import { hostName } from "./names.ts";

/** The places that a text names. */
export interface NamedPlaces {
  /** Machines, containers, and pods named in the labels of an alert. */
  readonly machines: readonly string[];
  /** Hosts that are said to fail, in lowercase. */
  readonly hosts: readonly string[];
}

const machineLabels = ["pod", "pod_name", "host", "hostname", "node", "instance"] as const;
/** Labels that hold an address: of the probed target, or of a host that couldn't be reached. */
const addressLabels = ["instance", "host", "hostname", "url", "target", "domain", "server", "upstream"] as const;
const placesMax = 5;
const textUnitsRead = 2_000;

/**
 * The address that an error failed to connect to: `getaddrinfo ENOTFOUND api.example.com`, `connect ECONNREFUSED
 * 10.0.0.9:5432`.
 */
const unreached = /\b(?:getaddrinfo|connect) E[A-Z_]{3,20} ((?:[\w-]{1,63}\.)*[\w-]{1,63}(?::\d{1,5})?)/;
/** A certificate issued for another host. */
const otherCertificate = /does not match certificate's altnames: Host: ([\w.-]{1,253}?)\.? is not\b/;
/** A host within a sentence: only names that can't be a file or a package. */
const fullName =
  /(?<![\w.@/-])(?!(?:com|org|net|io|dev)\.)(?:[a-z\d][a-z\d-]{0,62}\.){1,6}(?:com|net|org|io|dev|app|co|cloud|ai|internal|local)\b(?![\w-]|\.\w)/gi;
const address = /\bhttps?:\/\/([^\s/"'`<>?#]{1,260})/gi;

/** Returns the host that an error's message says couldn't be reached; null when it names none. */
export function unreachedHost(message: string): string | null {
  const text = message.slice(0, textUnitsRead);
  return unreached.exec(text)?.[1] ?? otherCertificate.exec(text)?.[1] ?? null;
}

/**
 * Returns the places that an announced failure is about, without links to the sender's own pages, which are in labels
 * of their own.
 */
export function placesNamed({ alert, headline, chain, exceptions }: ParsedError): NamedPlaces {
  const labels = alert?.labels ?? {};
  const labelled = (names: readonly string[]): string[] => names.flatMap((name) => labels[name] ?? []);
  const messages = chain.flatMap((index) => exceptions[index]?.message ?? []);
  const said = [headline, alert?.name ?? "", alert?.summary ?? ""].map((text) => text.slice(0, textUnitsRead));
  const hosts = [
    ...[...messages, ...said].flatMap((text) => unreachedHost(text) ?? []),
    ...labelled(addressLabels).flatMap(hostsOfLabel),
    ...said.flatMap(hostsOfSentence),
  ];
  return {
    machines: distinct(
      labelled(machineLabels)
        .filter((name) => !name.includes("/"))
        .map(hostName),
    ),
    hosts: distinct(hosts.map((host) => host.toLowerCase())),
  };
}

function hostsOfLabel(value: string): string[] {
  const found = hostsOfSentence(value);
  return found.length > 0 ? found : value.match(/^(?:[a-z\d-]+\.)+[a-z]{2,24}(?::\d{1,5})?$/i) ? [value] : [];
}

function hostsOfSentence(text: string): string[] {
  const addresses = [...text.matchAll(address)].flatMap(([, host]) => host ?? []);
  return [...addresses, ...(text.match(fullName) ?? [])];
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== "").slice(0, placesMax);
}
