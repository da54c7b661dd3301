import {
  type IntegrationKind,
  type IntegrationKindName,
  integrationKinds,
  isSecretInput,
  redactedValue,
} from "@whence/protocol";

/** Shorter values may be ordinary words. */
const lengthMin = 8;
/** Tokens in a kubeconfig, in YAML or JSON. */
const tokens = /\btoken["']?\s*:\s*["']?([^\s"',}]+)/g;

/** The credentials in a connection's inputs, as they are sent to the vendor. */
export function ownCredentials(kind: IntegrationKindName, inputs: Readonly<Record<string, string>>): readonly string[] {
  const { inputs: entered }: IntegrationKind = integrationKinds[kind];
  const found = Object.entries(inputs).flatMap(([name, value]) => {
    const input = entered.find((one) => one.name === name);
    if (input?.kind === "kubeconfig") return [...value.matchAll(tokens)].flatMap(([, token]) => token ?? []);
    // Tokens that a vendor issued aren't declared as inputs.
    return (input ? isSecretInput(input) : name.endsWith("_token")) ? value : [];
  });
  return found.filter(({ length }) => length >= lengthMin);
}

/** A vendor's text without the credentials it was queried with, because some vendors and programs repeat them. */
export function withoutOwn(text: string, credentials: readonly string[]): string {
  const forms = credentials.flatMap((credential) => [credential, encodeURIComponent(credential)]);
  return forms.reduce((rest, form) => rest.replaceAll(form, redactedValue), text);
}
