import { expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../../../../test/servers/postgres.ts";
import { makeOrganization, startTestService } from "../../test-service.ts";

it("opens an event stream on PostgreSQL from the first step when Last-Event-ID isn't a step's number", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const service = await startTestService({}, false, { postgres: { url: await postgres.database() } });
  onTestFinished(() => service.close());
  const { key } = await makeOrganization(service, "acme");
  const payload = { error_log: "E" };
  const headers = { "x-api-key": key };
  const analyzed = await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers, payload });
  const base = await service.app.listen({ port: 0, host: "127.0.0.1" });
  const url = `${base}/api/incidents/${analyzed.json().incident_id}/events`;
  for (const id of ["1.5", "-1", "3000000000", "1e300", "NaN"]) {
    const leaving = new AbortController();
    const answer = await fetch(url, { headers: { ...headers, "last-event-id": id }, signal: leaving.signal });
    const reader = answer.body?.getReader();
    const heard: string[] = [];
    // The second message comes after the database has been asked.
    while (!heard.join("").includes("event: ") && heard.length < 2) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      heard.push(Buffer.from(value).toString());
    }
    expect(heard.join("")).toContain(": following");
    leaving.abort();
  }
});
