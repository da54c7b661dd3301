import type { IntegrationKindName } from "@whence/protocol";
import { betterStack } from "./better-stack/integration.ts";
import { cloudflare } from "./cloudflare/integration.ts";
import { cloudWatch } from "./cloudwatch/integration.ts";
import { datadog } from "./datadog/integration.ts";
import { dataset } from "./dataset/integration.ts";
import { daytona } from "./daytona/integration.ts";
import { e2b } from "./e2b/integration.ts";
import { elasticsearch } from "./elasticsearch/integration.ts";
import { github } from "./github/integration.ts";
import { gitlab } from "./gitlab/integration.ts";
import { grafana } from "./grafana/integration.ts";
import type { Integration } from "./integrations/integration.ts";
import { kubernetes } from "./kubernetes/integration.ts";
import { linear } from "./linear/integration.ts";
import { mezmo } from "./mezmo/integration.ts";
import { newRelic } from "./new-relic/integration.ts";
import { pagerDuty } from "./pagerduty/integration.ts";
import { sentry } from "./sentry/integration.ts";
import { signoz } from "./signoz/integration.ts";
import { vercel } from "./vercel/integration.ts";

/** The vendors of each kind, in the order in which they are tried. */
export interface IntegrationRegistry {
  /** Returns the vendor that takes these inputs; null when none of the kind does. */
  find(kind: string, inputs: Readonly<Record<string, string>>): Integration | null;
  /** Returns the vendors of a kind, for the page that connects them. */
  vendorsOf(kind: IntegrationKindName): readonly Integration[];
}

/** Every vendor. When a kind has several, an input determines which one is meant. */
const vendors: readonly Integration[] = [
  betterStack,
  cloudflare,
  cloudWatch,
  datadog,
  dataset,
  daytona,
  e2b,
  elasticsearch,
  github,
  gitlab,
  grafana,
  kubernetes,
  linear,
  mezmo,
  newRelic,
  pagerDuty,
  sentry,
  signoz,
  vercel,
];

export const integrationRegistry: IntegrationRegistry = registryOf(vendors);

export function registryOf(all: readonly Integration[]): IntegrationRegistry {
  const vendorsOf = (kind: string): readonly Integration[] => all.filter((vendor) => vendor.kind === kind);
  return { vendorsOf, find: (kind, inputs) => vendorsOf(kind).find(({ takes }) => takes?.(inputs) ?? true) ?? null };
}
