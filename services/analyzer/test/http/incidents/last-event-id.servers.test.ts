import { expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../../../../test/servers/postgres.ts";
import { makeOrganization, startTestService } from "../../test-service.ts";

it("opens an event stream on PostgreSQL from the first step when Last-Event-ID isn't a step's number, and after all when it is too large for one", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const service = await startTestService({}, false, { postgres: { url: await postgres.database() } });
  onTestFinished(() => service.close());
  const acme = await makeOrganization(service, "acme");
  const payload = { error_log: "E" };
  const headers = { "x-api-key": acme.key };
  const analyzed = await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers, payload });
  const id: string = analyzed.json().incident_id;
  const { incidents } = service.control.scope(acme.id);
  const now = new Date(service.clock.now);
  const attempt = (await incidents.begin(id, now)) ?? 0;
  await incidents.addStep(id, attempt, { seq: 1, at: now.toISOString(), step: "parse", detail: "the first" });
  const url = `${await service.app.listen({ port: 0, host: "127.0.0.1" })}/api/incidents/${id}/events`;
  const follow = (lastEventId: string) => fetch(url, { headers: { ...headers, "last-event-id": lastEventId } });
  const fromTheFirst = await Promise.all(["1.5", "-1", "1e300", "NaN"].map(follow));
  const afterAll = await follow("3000000000");
  // Ends the streams, which look into the database before that and once more.
  await incidents.fail(id, attempt, { code: "X", message: "y" }, now);
  for (const stream of fromTheFirst) {
    expect(await stream.text()).toMatch(/^: following\n\nid: 1\nevent: step\n[\s\S]*event: incident\n/);
  }
  expect(await afterAll.text()).toMatch(/^: following\n\nevent: incident\n/);
});
