import type { FieldName, ServicePlan, Topology } from "./topology.ts";

/** What a release does differently from the first one. */
export interface CodeChange {
  /** The answer has a field under another name, without it, or with a text for its number. */
  readonly field?: { readonly name: FieldName; readonly how: "renamed" | "removed" | "text" };
  /** A mistake in the code that makes the answer. */
  readonly mistake?: "reads-missing-member" | "rejects-valid" | "rare-input" | "index-beyond" | "endless";
  /** The path of its route. */
  readonly path?: "plural" | "versioned";
  /** What it sends to the services that it calls. */
  readonly sends?: "text-quantity" | "no-id" | "many";
  readonly leaks?: "connections" | "memory";
  /** Blocks its thread that long for each request. */
  readonly hashesMs?: number;
  readonly startsWith?: "missing-module" | "throw";
  /** Nothing that matters. */
  readonly comment?: string;
}

/** A file of a service, below its folder. */
export interface CodeFile {
  readonly path: string;
  readonly text: string;
}

/** The path of a service's route. */
export function pathOf({ noun }: Pick<ServicePlan, "noun">, { path }: CodeChange = {}): string {
  if (path === "versioned") return `/v2/${noun}`;
  return path === "plural" ? `/${noun}-list` : `/${noun}`;
}

/** The variable that holds the address of what a service calls. */
export function urlVariable(name: string): string {
  return `${name.replaceAll(/[^a-z]/g, "_").toUpperCase()}_URL`;
}

/** What a service or a third party answers about. */
export function nounOf(name: string, { services, parties }: Pick<Topology, "services" | "parties">): string {
  return [...services, ...parties].find((one) => one.name === name)?.noun ?? name;
}

export function camel(name: string): string {
  return name.replaceAll(/[^a-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function pascal(name: string): string {
  const text = camel(name);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
