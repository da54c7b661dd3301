import manifest from "../package.json" with { type: "json" };

export const { version } = manifest;

/** How the service's log tells callers apart. */
export const userAgent = `whence-agent/${version} node/${process.versions.node}`;
