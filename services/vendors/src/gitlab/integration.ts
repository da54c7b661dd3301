import { codeHostConnection } from "../code-hosts/code-host-connection.ts";
import type { Integration } from "../integrations/integration.ts";
import { gitLabRepositories } from "./code-host.ts";

/** GitLab, on gitlab.com or on the operator's own instance: deployments, releases, and source code. */
export const gitlab: Integration = {
  kind: "gitlab",
  vendor: "GitLab",
  checkedAgainst: "a double of our own, from the documented answers",
  connect: (inputs, context) => codeHostConnection(gitLabRepositories.open(inputs, context), inputs),
};
