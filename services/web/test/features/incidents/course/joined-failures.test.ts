import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { JoinedFailure } from "@whence/protocol";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { JoinedFailures } from "../../../../src/features/incidents/course/joined-failures.tsx";

const joined: JoinedFailure = {
  fingerprint: "v1:1",
  service: "payments",
  title: "Error: <b>no answer</b>",
  rule: "same-trace",
  event_id: "e",
  reason: "it failed in the same trace at 2026-11-21T17:27:59.687Z",
  events: 2,
  first_seen: "2026-11-21T17:27:59.687Z",
  last_seen: "2026-11-21T17:27:59.687Z",
  joined_at: "",
};

const inClient = (children: ReactNode) => createElement(QueryClientProvider, { client: new QueryClient() }, children);

describe("the failures that joined an incident", () => {
  it("show where they were seen, how often, and why they belong to it, as text", () => {
    const html = renderToStaticMarkup(
      inClient(createElement(JoinedFailures, { incidentId: "inc_1", failures: [joined] })),
    );
    expect(html).toContain("Error: &lt;b&gt;no answer&lt;/b&gt;");
    expect(html.replaceAll(/<[^>]*>/g, "")).toMatch(
      /payments · 2 events, the last .* agoit failed in the same trace at /,
    );
  });
});
