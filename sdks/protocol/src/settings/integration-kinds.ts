import { z } from "zod";

const valueLengthMax = 2_000;
/** Large enough for a kubeconfig with the certificates of many clusters. */
const documentLengthMax = 262_144;
const keyLengthMax = 20_000;
const pemKey = /^-----BEGIN (?:RSA )?PRIVATE KEY-----\n[A-Za-z0-9+/=\s]+-----END (?:RSA )?PRIVATE KEY-----$/;

/** The kind of input, which decides how it is validated. */
export type IntegrationInputKind = "secret" | "text" | "email" | "url" | "choice" | "kubeconfig" | "private-key";

/** An input that a person enters to connect an integration. */
export interface IntegrationInput {
  readonly name: string;
  readonly label: string;
  readonly kind: IntegrationInputKind;
  /** The options of a `choice`. */
  readonly choices?: readonly string[];
  readonly hint?: string;
  /** Whether it may be left empty. */
  readonly isOptional?: boolean;
}

/** A kind of integration. */
export interface IntegrationKind {
  readonly label: string;
  /** What an analysis gets from it. */
  readonly brings: string;
  /** The inputs to enter; empty when it is connected by authorization alone. */
  readonly inputs: readonly IntegrationInput[];
  /** Whether it can be connected by authorizing an installed application (OAuth). */
  readonly authorization: boolean;
}

const apiKey: IntegrationInput = { name: "api_key", label: "API key", kind: "secret" };
const apiToken: IntegrationInput = { name: "api_token", label: "API token", kind: "secret" };
const instanceUrl: IntegrationInput = { name: "instance_url", label: "Instance URL", kind: "url" };
const readOnly = { hint: "Read-only is enough." };

/** Every kind, with the connection inputs of the specification. */
export const integrationKinds = {
  "cloud-monitoring": {
    label: "Cloud monitoring",
    brings: "logs, metrics, and alarms",
    inputs: [
      { name: "access_key_id", label: "Access key id", kind: "text" },
      { name: "secret_access_key", label: "Secret access key", kind: "secret" },
      { name: "region", label: "Region", kind: "text", hint: "For example, eu-central-1." },
    ],
    authorization: false,
  },
  uptime: {
    label: "Uptime and on-call",
    brings: "outages and who is on call",
    inputs: [{ ...apiToken, ...readOnly }],
    authorization: false,
  },
  network: {
    label: "Network, DNS and firewall",
    brings: "changes to DNS and firewall rules",
    inputs: [apiKey, { name: "account_email", label: "Account email", kind: "email" }],
    authorization: false,
  },
  "metrics-application-key": {
    label: "Metrics and APM, with an application key",
    brings: "log lines, alerts, changes, and deployments",
    inputs: [
      apiKey,
      { name: "application_key", label: "Application key", kind: "secret" },
      { name: "region", label: "Region", kind: "choice", choices: ["us1", "us3", "us5", "eu", "ap1"] },
    ],
    authorization: false,
  },
  "metrics-user-key": {
    label: "Metrics and APM, with a user key",
    brings: "errors, slow transactions, and deployments",
    inputs: [
      { name: "user_api_key", label: "User API key", kind: "secret" },
      { name: "region", label: "Region", kind: "choice", choices: ["US", "EU"] },
    ],
    authorization: false,
  },
  sandbox: {
    label: "Sandbox execution",
    brings: "sandboxes that stopped, and their logs",
    inputs: [apiKey],
    authorization: false,
  },
  search: {
    label: "Search and log cluster",
    brings: "log lines",
    inputs: [
      { name: "url", label: "Kibana URL", kind: "url" },
      apiKey,
      {
        name: "kibana_url",
        label: "Kibana URL for links",
        kind: "url",
        isOptional: true,
        hint: "If the first address is Elasticsearch's own. Links to log lines open there.",
      },
    ],
    authorization: false,
  },
  dashboards: {
    label: "Dashboards, metrics and log queries",
    brings: "alerts, changes, metrics, and log lines",
    inputs: [instanceUrl, { name: "service_account_token", label: "Service-account token", kind: "secret" }],
    authorization: false,
  },
  kubernetes: {
    label: "Kubernetes cluster",
    brings: "events, restarts, and the state of pods",
    inputs: [{ name: "kubeconfig", label: "Kubeconfig", kind: "kubeconfig", hint: "Upload or paste the file." }],
    authorization: false,
  },
  logs: {
    label: "Centralized logs",
    brings: "log lines",
    inputs: [{ name: "service_key", label: "Service key", kind: "secret" }],
    authorization: false,
  },
  "incident-management": {
    label: "Incident management",
    brings: "incidents, changes, and who is on call",
    inputs: [{ ...apiKey, ...readOnly }],
    authorization: false,
  },
  "log-queries": {
    label: "Log queries",
    brings: "log lines",
    inputs: [{ ...apiKey, hint: "A key that can read logs." }, instanceUrl],
    authorization: false,
  },
  "error-tracker": {
    label: "Error tracker",
    brings: "the error's issue, with its releases and tags",
    inputs: [
      { name: "bearer_token", label: "Bearer token", kind: "secret" },
      { name: "organization_slug", label: "Organization slug", kind: "text" },
      { ...instanceUrl, hint: "Of a self-hosted installation. Leave it empty for sentry.io.", isOptional: true },
    ],
    authorization: true,
  },
  observability: {
    label: "Open-source observability",
    brings: "error logs, failed requests, and alerts",
    inputs: [instanceUrl, apiKey],
    authorization: false,
  },
  hosting: {
    label: "Hosting and deployment",
    brings: "deployments, and build and runtime logs",
    inputs: [apiToken],
    authorization: true,
  },
  github: {
    label: "GitHub",
    brings: "source code and changes",
    inputs: [],
    authorization: true,
  },
  gitlab: {
    label: "GitLab",
    brings: "source code and changes",
    inputs: [],
    authorization: true,
  },
  "issue-tracker": {
    label: "Issue tracker",
    brings: "issues on the same failure",
    inputs: [],
    authorization: true,
  },
} as const satisfies Record<string, IntegrationKind>;

/** The name of a kind, used in paths and rows. */
export type IntegrationKindName = keyof typeof integrationKinds;

/** Every kind's name. */
export const integrationKindNames: readonly IntegrationKindName[] = Object.keys(integrationKinds).filter(isKindName);

/** Returns the name of a kind; null when the text is none. */
export function integrationKindName(text: string): IntegrationKindName | null {
  return isKindName(text) ? text : null;
}

function isKindName(text: string): text is IntegrationKindName {
  return Object.hasOwn(integrationKinds, text);
}

/** Whether a value of this kind is a credential: encrypted at rest, and never shown again. */
export function isSecretInput({ kind }: IntegrationInput): boolean {
  return kind === "secret" || kind === "kubeconfig" || kind === "private-key";
}

/** Returns the schema of a kind's inputs: all of them, and nothing else. */
export function integrationInputsSchema(name: IntegrationKindName): z.ZodType<Record<string, string>> {
  const { inputs }: IntegrationKind = integrationKinds[name];
  return inputValuesSchema(inputs);
}

/** Returns the schema of the values of inputs: all that aren't optional, and nothing else. */
export function inputValuesSchema(inputs: readonly IntegrationInput[]): z.ZodType<Record<string, string>> {
  const shape = inputs.map((input): [string, z.ZodType<string>] => {
    const schema = inputSchema(input);
    return [input.name, input.isOptional ? z.exactOptional(schema) : schema];
  });
  return z.strictObject(Object.fromEntries(shape));
}

const line = z.string().trim().min(1).max(valueLengthMax);
const singleLine = line.regex(/^[^\r\n]*$/, "it must be one line");

function inputSchema({ kind, choices = [] }: IntegrationInput): z.ZodType<string> {
  switch (kind) {
    case "secret":
    case "text":
      return singleLine;
    case "email":
      return singleLine.pipe(z.email());
    case "url":
      return singleLine
        .pipe(z.url({ protocol: /^https?$/ }))
        .refine(isBare, "it must not contain a user name or password");
    case "choice":
      return z.enum(choices);
    case "kubeconfig":
      return z
        .string()
        .min(1)
        .max(documentLengthMax)
        .refine(isKubeconfig, "it isn't a kubeconfig: it needs clusters, users, and contexts");
    case "private-key":
      return (
        z
          .string()
          .max(keyLengthMax)
          // On one line, as in a service account's JSON, its line ends are written as two characters.
          .transform((text) => text.replaceAll("\\n", "\n").trim())
          .refine(
            (text) => pemKey.test(text),
            "it isn't a private key in PEM: it starts with -----BEGIN PRIVATE KEY-----",
          )
      );
  }
}

function isBare(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.username === "" && parsed.password === "";
}

/** Accepts what kubectl writes, as YAML or JSON. Doesn't check that the cluster answers. */
function isKubeconfig(text: string): boolean {
  return ["clusters", "users", "contexts"].every((part) => new RegExp(`(?:^|[\\s{,])"?${part}"?[ \\t]*:`).test(text));
}
