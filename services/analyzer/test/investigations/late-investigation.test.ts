import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedText } from "../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../src/analysis/from-text.ts";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import { openInvestigators } from "../../src/investigations/investigators.ts";
import { timedOutAttemptsMax } from "../../src/investigations/last-attempt.ts";
import { makeOrganization, silent, startTestService, type TestService } from "../test-service.ts";

let service: TestService;
const none = { readingMs: 0, reportMs: 0 };
const investigators = openInvestigators({ size: 1, execArgv: ["--conditions=@whence/source"], processorTime: none });

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await investigators.close();
  await service.close();
});

describe("an investigation that takes too long", () => {
  it("ends its incident as failed on its second attempt, with that reason", async () => {
    const { id: scopeId } = await makeOrganization(service, "acme");
    const { incidents } = service.control.scope(scopeId);
    const { id } = await incidents.open(incidentFromText(await askedText("Error: boom", []), null, new Date()));
    const { control, events, metrics } = service;
    const context = { control, events, metrics, clock: Date.now, logger: silent };
    const handle = investigationHandler({ ...context, investigatorsOf: () => investigators });
    const message = { incident_id: id, scope_id: scopeId };
    const { signal } = new AbortController();
    for (let number = 1; number < timedOutAttemptsMax; number++) {
      const code = "WHENCE_ERR_INVESTIGATION_TIMEOUT";
      await expect(handle(message, { id: "m1", number, signal })).rejects.toMatchObject({ code });
    }
    await handle(message, { id: "m1", number: timedOutAttemptsMax, signal });
    const failure = { code: "WHENCE_ERR_INVESTIGATION_TIMEOUT" };
    expect(await incidents.find(id)).toMatchObject({ status: "failed", failure });
  });
});
