import type { IntegrationKindName } from "@whence/protocol";
import type { IntegrationApplications } from "./applications.ts";
import type { AuthorizationFlow } from "./authorization/authorization-flow.ts";
import { gitHubFlow } from "./github/authorization.ts";
import { gitLabFlow } from "./gitlab/authorization.ts";
import { linearFlow } from "./linear/authorization.ts";
import { sentryFlow } from "./sentry/authorization.ts";
import { vercelFlow } from "./vercel/authorization.ts";

type FlowOf = (applications: IntegrationApplications) => AuthorizationFlow | null;

/** The kinds that are connected by authorization. */
const flows: Partial<Record<IntegrationKindName, FlowOf>> = {
  github: gitHubFlow,
  gitlab: gitLabFlow,
  "issue-tracker": linearFlow,
  "error-tracker": sentryFlow,
  hosting: vercelFlow,
};

/** Returns how a kind is authorized; null when the operator registered no application for it. */
export function authorizationFlow(
  kind: IntegrationKindName,
  applications: IntegrationApplications = {},
): AuthorizationFlow | null {
  return flows[kind]?.(applications) ?? null;
}
