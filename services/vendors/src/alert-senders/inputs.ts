import type { AlertSourceInput } from "@whence/protocol";

/** A secret that the service generates, to be entered at the sender. */
export function madeSecret(label: string): AlertSourceInput {
  return { name: "secret", label, is_secret: true, is_made: true };
}

/** A secret that the sender shows. */
export function shownSecret(label: string, name = "secret"): AlertSourceInput {
  return { name, label, is_secret: true, is_made: false };
}

/** The address of the organization's own instance, instead of the vendor's. */
export function instanceUrl(label: string, example: string): AlertSourceInput {
  return { name: "base_url", label, is_secret: false, is_made: false, is_optional: true, example };
}
