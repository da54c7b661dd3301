import { investigationsTopic } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedText } from "../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../src/analysis/from-text.ts";
import { startAbandonedIncidents } from "../../src/investigations/abandoned-incidents.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let acme: TestOrganization;
beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const incidents = () => service.control.scope(acme.id).incidents;
const look = () => startAbandonedIncidents(service.queue, { ...service, clock: Date.now, logger: silent }).stop();

async function opened(): Promise<string> {
  const { id } = await incidents().open(
    incidentFromText(await askedText("TypeError: x is not a function", []), null, new Date()),
  );
  await incidents().begin(id, new Date());
  return id;
}

/** As the queue does when one process after another died while handling the message. */
async function bury(id: string, body: string): Promise<void> {
  await service.queue.publish(investigationsTopic, [{ id, body }]);
  const [delivery] = await service.queue.receive(investigationsTopic, { max: 1, waitMs: 0 });
  await delivery?.bury("it was delivered 20 times and not acknowledged");
}

describe("an incident whose investigation is a dead letter", () => {
  it("ends as failed, with the reason, and one that is still being investigated doesn't", async () => {
    const [given, working] = [await opened(), await opened()];
    await bury("lost", JSON.stringify({ incident_id: given, scope_id: acme.id }));
    await bury("garbage", "no json");
    await look();
    expect(await incidents().find(given)).toMatchObject({
      status: "failed",
      failure: { code: "WHENCE_ERR_INVESTIGATION_FAILED", message: expect.stringContaining("not acknowledged") },
    });
    expect((await incidents().find(working))?.status).toBe("investigating");
  });

  it("stays as it is when it ended another way", async () => {
    const id = await opened();
    const attempt = (await incidents().begin(id, new Date())) ?? 0;
    await incidents().fail(id, attempt, { code: "WHENCE_ERR_EVENT_MISSING", message: "gone" }, new Date());
    await bury("ended", JSON.stringify({ incident_id: id, scope_id: acme.id }));
    await Promise.all([look(), look()]);
    expect((await incidents().find(id))?.failure?.code).toBe("WHENCE_ERR_EVENT_MISSING");
  });
});
