import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ValidationFailure } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { validateBatch } from "../../src/telemetry/validate.ts";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";

interface Recorded {
  readonly request?: Record<string, string | string[]>;
  readonly properties?: Record<string, unknown>;
  readonly vars?: Record<string, unknown>;
  readonly attributes?: Record<string, unknown>;
  readonly user?: Record<string, unknown>;
  readonly contexts?: Record<string, Record<string, unknown>>;
  readonly breadcrumb?: Record<string, unknown>;
}

function vectorsOf<Vector>(file: string): readonly (Vector & { readonly name: string })[] {
  const folder = join(import.meta.dirname, "../../../../sdks/protocol/vectors");
  return JSON.parse(readFileSync(join(folder, file), "utf8")).vectors;
}

const redactions = vectorsOf<{
  added: string[];
  given: Recorded;
  sent: Recorded;
  redactions: { rule: string; path: string }[];
}>("redaction.json");

function eventWith({ request, properties, vars, attributes, user, contexts, breadcrumb }: Recorded) {
  const timestamp = "2026-11-21T09:30:03Z";
  return {
    ...exceptionEvent("charge", { id: "019aa5c0-3f2e-7c41-9d0a-5b6f7e8d9c01", timestamp }),
    exceptions: [
      {
        type: "Error",
        message: "x",
        stack: "",
        ...(properties && { properties }),
        frames: [{ ...(vars && { vars }) }],
      },
    ],
    ...(request && { request: { method: "GET", path: "/", headers: request } }),
    ...(breadcrumb && { breadcrumbs: [{ timestamp, category: "step", data: breadcrumb }] }),
    ...{ ...(attributes && { attributes }), ...(user && { user }), ...(contexts && { contexts }) },
  };
}

describe("the gateway", () => {
  it.each(vectorsOf<{ batch: { events: unknown[] } }>("batches.json"))("accepts the whole of $name", ({ batch }) => {
    const { accepted, rejected } = validateBatch(batch, null);
    expect(rejected).toEqual([]);
    expect(accepted.map(({ event }) => event)).toEqual(batch.events);
  });

  it.each(vectorsOf<{ event: unknown; detail: unknown }>("invalid-events.json"))(
    "rejects an event alone, with its detail: $name",
    ({ event, detail }) => {
      const { accepted, rejected } = validateBatch({ ...batchOf([logEvent()]), events: [logEvent(), event] }, null);
      expect([accepted.length, rejected.length]).toEqual([1, 1]);
      expect(rejected[0]).toMatchObject({ index: 1, detail });
    },
  );

  it.each(vectorsOf<{ batch: unknown; detail: unknown }>("invalid-batches.json"))(
    "rejects a batch with its detail: $name",
    ({ batch, detail }) => {
      let thrown: unknown;
      try {
        validateBatch(batch, null);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(ValidationFailure);
      expect(thrown).toMatchObject({ detail });
    },
  );

  const rules = ["default-name", "added-name"];
  const named = redactions.filter(({ redactions: expected }) => expected.every(({ rule }) => rules.includes(rule)));
  it.each(named.filter(({ added }) => added.length === 0))(
    "redacts what a client didn't: $name",
    ({ given, sent, redactions: expected }) => {
      const { accepted } = validateBatch(batchOf([eventWith(given)]), null);
      const { redactions: found, ...event } = accepted[0]?.event ?? {};
      expect(event).toEqual(eventWith(sent));
      expect(found?.map(({ path }) => path).toSorted() ?? []).toEqual(expected.map(({ path }) => path).toSorted());
    },
  );
});
