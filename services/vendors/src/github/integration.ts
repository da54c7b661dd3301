import { codeHostConnection } from "../code-hosts/code-host-connection.ts";
import type { Integration } from "../integrations/integration.ts";
import { gitHubRepositories } from "./code-host.ts";

/** GitHub, as an installation of the operator's GitHub App: deployments, releases, and source code. */
export const github: Integration = {
  kind: "github",
  vendor: "GitHub",
  checkedAgainst:
    "recorded traffic of GitHub's API (@octokit/fixtures), emulate, a server by Vercel Labs, and a double from the documented answers",
  connect: (inputs, context) => codeHostConnection(gitHubRepositories.open(inputs, context), inputs),
};
