import {
  type IntegrationKind,
  type IntegrationKindName,
  integrationKinds,
  isSecretInput,
  redactedValue,
} from "@whence/protocol";

/** Shorter values are ordinary words as well. */
const lengthMin = 8;
/** Of a kubeconfig, in YAML or JSON. */
const tokens = /\btoken["']?\s*:\s*["']?([^\s"',}]+)/g;

/** The credentials among what a connection is stored with, each as the vendor is sent it. */
export function ownCredentials(kind: IntegrationKindName, inputs: Readonly<Record<string, string>>): readonly string[] {
  const { inputs: entered }: IntegrationKind = integrationKinds[kind];
  const found = Object.entries(inputs).flatMap(([name, value]) => {
    const input = entered.find((one) => one.name === name);
    if (input?.kind === "kubeconfig") return [...value.matchAll(tokens)].flatMap(([, token]) => token ?? []);
    // What a vendor handed out is no input.
    return (input ? isSecretInput(input) : name.endsWith("_token")) ? value : [];
  });
  return found.filter(({ length }) => length >= lengthMin);
}

/** A vendor's text without the credentials that it was asked with, which some vendors and programs repeat. */
export function withoutOwn(text: string, credentials: readonly string[]): string {
  const forms = credentials.flatMap((credential) => [credential, encodeURIComponent(credential)]);
  return forms.reduce((rest, form) => rest.replaceAll(form, redactedValue), text);
}
