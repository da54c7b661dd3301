import type { TelemetryEvent } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { FactTable } from "../components/fact-table.tsx";
import { requestHeaders } from "./request-fields.ts";

/** The request that an event happened in, with its headers, and what the program said of it: tags, user, contexts. */
export function EventRequest({ event }: { readonly event: TelemetryEvent }): JSX.Element {
  const { request, redactions = [], tags = {}, user, contexts = {} } = event;
  const facts = [
    ...Object.entries(tags),
    ...(user === undefined ? [] : ([["user", JSON.stringify(user)]] as const)),
    ...Object.entries(contexts).map(([name, value]) => [name, JSON.stringify(value)] as const),
  ];
  return (
    <>
      {request === undefined ? (
        <p>It didn't happen in a request.</p>
      ) : (
        <>
          <p>
            <code>
              {request.method} {request.path}
            </code>
            {request.route === undefined || request.route === request.path ? null : (
              <>
                {" "}
                on <code>{request.route}</code>
              </>
            )}
          </p>
          <FactTable
            label="Headers"
            heads={["Header", "Value"]}
            rows={requestHeaders(request, redactions).map(({ name, value, isRedacted }) => [
              name,
              isRedacted ? <Badge tone="low">redacted</Badge> : <code>{value}</code>,
            ])}
          />
        </>
      )}
      {facts.length > 0 ? (
        <FactTable
          label="Tags and contexts"
          heads={["Tag", "Value"]}
          rows={facts.map(([name, value]) => [name, <code key="value">{value}</code>])}
        />
      ) : null}
    </>
  );
}
