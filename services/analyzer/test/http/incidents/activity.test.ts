import { activityPageSchema, incidentSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedIncident } from "../../ended-report.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const get = (path: string, { cookie } = acme) =>
  service.app.inject({ url: `/api/incidents/${path}`, headers: { cookie } });

/** An incident with so many comments, each with its number. */
async function commented(count: number): Promise<string> {
  const id = await endedIncident(service, acme.id);
  const { ownership } = service.control.scope(acme.id);
  for (let index = 1; index <= count; index += 1) {
    const by = { kind: "member", id: "usr_ada", name: "Ada" } as const;
    await ownership.comment(id, String(index), by, new Date(service.clock.now + index));
  }
  return id;
}

async function pages(id: string): Promise<string[][]> {
  const found: string[][] = [];
  let before: string | null = "";
  while (before !== null) {
    const page = activityPageSchema.parse(
      (await get(`${id}/activity${before === "" ? "" : `?before=${before}`}`)).json(),
    );
    found.push(page.activity.map(({ comment }) => comment?.text ?? ""));
    before = page.next;
  }
  return found;
}

describe("the activity of an incident", () => {
  it.each([
    [0, [0]],
    [50, [50]],
    [51, [50, 1]],
    [101, [50, 50, 1]],
  ])("of %i comments is read in pages of %j, the newest first, each once", async (count, sizes) => {
    const id = await commented(count);
    const found = await pages(id);
    expect(found.map((page) => page.length)).toEqual(sizes);
    expect(found.flat()).toEqual(Array.from({ length: count }, (_, index) => String(count - index)));
    const { activity = [] } = incidentSchema.parse((await get(id)).json());
    expect(activity.map(({ comment }) => comment?.text)).toEqual(found[0]);
  });

  it("isn't shown to another organization", async () => {
    const other = await makeOrganization(service, "other");
    const answer = await get(`${await commented(1)}/activity`, other);
    expect([answer.statusCode, answer.json().code]).toEqual([404, "WHENCE_ERR_INCIDENT_UNKNOWN"]);
  });
});
