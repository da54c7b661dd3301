import type { ParsedError, ParsedFrame } from "../../../src/investigation/findings.ts";

/** What was read, in the form of the `expected.json` of a fixture. */
export function describeParsed({ exceptions, chain, headline, unread }: ParsedError): object {
  return {
    chain,
    ...(exceptions.length === 0 ? { headline } : {}),
    ...(unread.length > 0 ? { unread } : {}),
    exceptions: exceptions.map(({ type, message, properties, frames, parent, relation, throwSite, fatal }) => ({
      type,
      message,
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(parent === null ? {} : { parent, relation }),
      ...(throwSite ? { thrown_at: `${throwSite.file}:${throwSite.line}:${throwSite.column}` } : {}),
      ...(fatal ? { fatal } : {}),
      frames: frames.map(describeFrame),
    })),
  };
}

function describeFrame({ function: name, file, line, column, origin, async: isAsync }: ParsedFrame): string {
  const place = file === null ? "?" : [file, line, column].join(":");
  return `${isAsync ? "async " : ""}${name ?? "?"} ${place} (${origin})`;
}
