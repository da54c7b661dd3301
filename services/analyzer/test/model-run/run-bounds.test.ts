import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import type { ModelBudget } from "../../src/models/models.ts";
import { makeOrganization, silent, startTestService, type TestService } from "../test-service.ts";
import { type LoopbackProvider, startProvider } from "./loopback-provider.ts";
import type { Script } from "./scripted-server.ts";

const mustPropose = /"tool_choice":\{[^}]*"propose"/;
const explore: Script = ({ body }) =>
  mustPropose.test(body)
    ? { call: "propose", input: { findings: [] } }
    : { call: "list_files", input: { containing: "" } };

describe("an investigation of an error that a developer sent", () => {
  let service: TestService;
  let provider: LoopbackProvider;
  beforeAll(async () => {
    service = await startTestService();
    provider = await startProvider("openai-compatible");
  });
  afterAll(async () => {
    await provider.close();
    await service.close();
  });

  /** Asks the model about an error, and returns the first request to it and the outcome. */
  async function asked(budget: Partial<ModelBudget> = {}): Promise<{ first: string; outcome: string | undefined }> {
    provider.play(explore, { budget });
    const acme = await makeOrganization(service, randomUUID());
    const payload = { error_log: "TypeError: x is not a function\n    at total (/app/src/price.js:1:1)", files: [] };
    const headers = { "x-api-key": acme.key };
    const opened = await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers, payload });
    const message = { incident_id: opened.json<{ incident_id: string }>().incident_id, scope_id: acme.id };
    const { control, events, metrics, clock } = service;
    const handle = investigationHandler({
      ...{ control, events, metrics, clock: () => clock.now, logger: silent, models: provider.models },
    });
    const { signal } = new AbortController();
    await handle(message, { id: "m1", number: 1, signal });
    await handle({ ...message, refine: true }, { id: "m2", number: 1, signal });
    return { first: provider.requests[0] ?? "", outcome: provider.uses[0]?.outcome };
  }

  it("has a prompt of its own, and neither telemetry nor integrations to ask", async () => {
    const { first } = await asked();
    expect(first).toContain("A developer sent the error with files from their editor.");
    expect(first).toContain('"name":"read_file"');
    for (const tool of ["query_telemetry", "ask_integration", "list_changes", "similar_incidents"])
      expect(first).not.toContain(`"name":"${tool}"`);
  });

  // Two runs share it, and the scripted provider charges 0.01 US dollars for whatever a run has used.
  it.each([
    ["tokens", { tokens: 1_000 }, { tokens: 1_000_000 }],
    ["US dollars", { costUsd: 0.024 }, { costUsd: 0.026 }],
  ])("may only propose once most of its %s are used", async (_, small, large) => {
    expect((await asked(small)).first).toMatch(mustPropose);
    const { first } = await asked(large);
    expect(first).not.toBe("");
    expect(first).not.toMatch(mustPropose);
  });
});
