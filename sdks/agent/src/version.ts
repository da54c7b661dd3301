import manifest from "../package.json" with { type: "json" };

export const { version } = manifest;

/** Identifies this client in the service's log. */
export const userAgent = `whence-agent/${version} node/${process.versions.node}`;
