/** A client of Whence, as the service serves it. */
export interface ServedClient {
  /** Its folder below `sdks`. */
  readonly name: string;
  /** The name under which it is installed. */
  readonly package: string;
  /** What installs it, which decides how it is packed. */
  readonly installer: "npm" | "pip";
  /** Where the service serves it: a tarball for npm, an index for pip. */
  readonly address: string;
  /** Its page: a path in the repository. */
  readonly documentation: string;
}

/** Every client that the service serves. The builds, the tests of the documentation, and its tables follow this list. */
export const servedClients: readonly ServedClient[] = [
  npm("node", "@whence/node"),
  npm("agent", "@whence/agent"),
  npm("mcp", "@whence/mcp"),
  {
    name: "python",
    package: "whence",
    installer: "pip",
    address: "/sdk/simple/",
    documentation: "sdks/python/README.md",
  },
];

function npm(name: string, packageName: string): ServedClient {
  const documentation = `sdks/${name}/README.md`;
  return { name, package: packageName, installer: "npm", address: `/sdk/${name}.tgz`, documentation };
}
