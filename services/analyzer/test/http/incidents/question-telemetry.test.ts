import { type Incident, incidentSchema, type QuestionAnswer, questionAnswerSchema } from "@whence/protocol";
import { addressGuard, alertSenders } from "@whence/vendors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureHandler } from "../../../src/incidents/decide-failures.ts";
import { investigationHandler } from "../../../src/investigations/investigations.ts";
import { failureEvent, failureOf, incidentsOf } from "../../incidents/reported-failures.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "../../model-run/scripted-server.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let provider: ScriptedServer;
let script: Script;
let service: TestService;
let acme: TestOrganization;
let incident: Incident;

beforeAll(async () => {
  provider = await startScriptedServer("openai-compatible", (asked) => script(asked));
  const budget = { tokens_per_investigation: 100_000, seconds_per_investigation: 30, tokens_per_day: 1_000_000 };
  service = await startTestService(
    ...([{}, false, {}, false, true, { mayReach: addressGuard(["127.0.0.1/32"]) }, {}, alertSenders] as const),
    {
      ...{ provider: "openai-compatible", name: "scripted", inputs: { base_url: `${provider.url}/v1` }, prices: null },
      budget: { ...budget, usd_per_investigation: null, usd_per_day: null },
    },
  );
  acme = await makeOrganization(service, "acme");
  incident = await investigated();
});
afterAll(async () => {
  await provider.close();
  await service.close();
});

/** A failure of `orders`, near one of `stock` that the report doesn't mention. */
async function investigated(): Promise<Incident> {
  const failing = failureEvent(service, acme.id, { service: "orders", ago: 100, line: 4 });
  await service.events.insert([failureEvent(service, acme.id, { service: "stock", ago: 60_000 }), failing]);
  const { control, events, metrics, clock } = service;
  const context = { control, events, metrics, clock: () => clock.now, logger: silent };
  const decide = failureHandler({ ...context, relayOutbox: () => undefined });
  await decide({ scope_id: acme.id, failures: [failureOf(failing)] }, { number: 1 });
  const [opened] = await incidentsOf(service, acme);
  const message = { incident_id: incidentSchema.parse(opened).id, scope_id: acme.id };
  await investigationHandler(context)(message, { id: "m1", number: 1, signal: new AbortController().signal });
  return incidentSchema.parse((await incidentsOf(service, acme))[0]);
}

async function ask(question: string): Promise<QuestionAnswer> {
  const url = `/api/incidents/${incident.id}/questions`;
  const answer = await service.app.inject({
    ...{ method: "POST", url, payload: { question } },
    headers: { "x-api-key": acme.key },
  });
  return questionAnswerSchema.parse(answer.json());
}

const shown = (body: string): string => body.replaceAll('\\"', '"').replaceAll("\\n", "\n");
const answering =
  (tool: string, input: object, quoteIn: (text: string) => { evidence: string; excerpt: string }): Script =>
  ({ request, body }) =>
    request === 0
      ? { call: tool, input }
      : {
          call: "answer",
          input: { statements: [{ sentence: "stock failed, too.", citations: [quoteIn(shown(body))] }] },
        };
const ofStock = (text: string) => ({
  evidence: /([0-9a-f]{12}) \(telemetry telemetry asked for by a model\)/.exec(text)?.[1] ?? "",
  excerpt: /\{"service":"stock"[^}]*\}/.exec(text)?.[0] ?? "",
});

describe("a question that the report doesn't answer", () => {
  it("is answered from telemetry that the model asks for, with the rows that it quotes", async () => {
    script = answering("query_telemetry", { what: "failures", minutesBefore: 30 }, ofStock);
    const { answer, model } = await ask("Did another service fail, too?");
    expect(model).toMatchObject({ outcome: "answered", dropped: 0 });
    expect(model?.statements[0]?.citations).toEqual([
      expect.objectContaining({
        kind: "observed",
        source: "telemetry telemetry asked for by a model",
        summary: expect.stringMatching(/^a language model read \d+ failures? of /),
        excerpt: expect.stringContaining('"service":"stock"'),
      }),
    ]);
    expect(answer.parts).toContainEqual(
      expect.objectContaining({ kind: "quote", text: expect.stringContaining('"stock"') }),
    );
  });

  it("isn't answered with rows that telemetry doesn't have", async () => {
    script = answering("query_telemetry", { what: "failures", minutesBefore: 30 }, (text) => {
      const { evidence, excerpt } = ofStock(text);
      return { evidence, excerpt: excerpt.replace(/"events":\d+/, '"events":4711') };
    });
    expect((await ask("Did another service fail, too?")).model).toMatchObject({ outcome: "nothing_held", dropped: 1 });
  });

  it("is answered from what the collectors find now, by its digest, or by its id where the report has it", async () => {
    script = answering("list_evidence", {}, (text) => {
      const [, evidence = "", excerpt = ""] = /^([0-9a-f]{12}) \([^)]*\): (.*)$/m.exec(text) ?? [];
      return { evidence, excerpt };
    });
    const { model } = await ask("What was observed?");
    expect(provider.requests.join()).toContain("list_evidence");
    expect(model?.statements[0]?.citations[0]?.kind).toMatch(/^(?:evidence|observed)$/);
  });
});

describe("whether to roll back", () => {
  it("is answered by the engine alone, and with a model that quotes the report", async () => {
    script = () => ({ status: 500 });
    const alone = await ask("Should I roll back?");
    expect(alone.model?.outcome).toBe("unavailable");
    expect(alone.answer.headline).toBe(
      "No: the report doesn't name a release as the cause, so going back isn't known to help.",
    );
    const [first] = incident.report?.evidence ?? [];
    const quote = { evidence: first?.id, excerpt: first?.summary };
    script = () => ({
      call: "answer",
      input: { statements: [{ sentence: "The report suggests no release to go back to.", citations: [quote] }] },
    });
    const said = await ask("Should I roll back?");
    expect([said.model?.outcome, said.answer.headline]).toEqual([
      "answered",
      "The report suggests no release to go back to.",
    ]);
  });
});
