/**
 * Returns the commands that upload a release. `endpoint` is the service that shows the page, which also provides the
 * command-line tool.
 */
export function uploadCommands(endpoint: string): string {
  return [
    `export WHENCE_URL=${endpoint} WHENCE_API_KEY=whk_…`,
    `npx -y ${endpoint}/sdk/agent.tgz sources upload --service orders --release 2.0.0`,
  ].join("\n");
}
