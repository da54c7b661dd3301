/** An npm client of Whence, as the service serves it. pip gets the Python client from `/sdk/simple/`. */
export interface ServedClient {
  /** Its folder below `sdks`, and the name of its tarball: `/sdk/NAME.tgz`. */
  readonly name: string;
  /** The name under which programs import it. */
  readonly package: string;
  /** Its page: a path in the repository. */
  readonly documentation: string;
}

/** Every npm client that the service serves. The builds, the tests of the documentation, and its tables follow this list. */
export const servedClients: readonly ServedClient[] = [
  { name: "node", package: "@whence/node", documentation: "sdks/node/README.md" },
  { name: "agent", package: "@whence/agent", documentation: "sdks/agent/README.md" },
  { name: "mcp", package: "@whence/mcp", documentation: "sdks/mcp/README.md" },
];
