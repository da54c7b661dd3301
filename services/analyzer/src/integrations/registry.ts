import type { IntegrationKindName } from "@whence/protocol";
import type { Integration } from "./integration.ts";
import { betterStack } from "./vendors/better-stack.ts";
import { cloudflare } from "./vendors/cloudflare.ts";
import { cloudWatch } from "./vendors/cloudwatch.ts";
import { datadog } from "./vendors/datadog.ts";
import { dataset } from "./vendors/dataset.ts";
import { daytona } from "./vendors/daytona.ts";
import { e2b } from "./vendors/e2b.ts";
import { elasticsearch } from "./vendors/elasticsearch.ts";
import { github } from "./vendors/github.ts";
import { gitlab } from "./vendors/gitlab.ts";
import { grafana } from "./vendors/grafana.ts";
import { kubernetes } from "./vendors/kubernetes/kubernetes.ts";
import { linear } from "./vendors/linear.ts";
import { mezmo } from "./vendors/mezmo.ts";
import { newRelic } from "./vendors/new-relic.ts";
import { pagerDuty } from "./vendors/pagerduty.ts";
import { sentry } from "./vendors/sentry.ts";
import { signoz } from "./vendors/signoz.ts";
import { vercel } from "./vendors/vercel.ts";

/** The vendors of each kind, in the order in which they are tried. */
export interface IntegrationRegistry {
  /** The vendor that takes these inputs; null when none of the kind does. */
  find(kind: string, inputs: Readonly<Record<string, string>>): Integration | null;
  /** The vendors of a kind, for the page that connects them. */
  vendorsOf(kind: IntegrationKindName): readonly Integration[];
}

/** Every vendor. Of a kind with several, an input tells which is meant. */
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
