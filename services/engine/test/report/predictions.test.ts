import { type Category, categories, type Prediction } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { Findings } from "../../src/findings/findings.ts";
import { observeData } from "../../src/findings/observe-input.ts";
import { parseEvent, readEventFacts } from "../../src/parse/parse-event.ts";
import type { Candidate } from "../../src/rank/candidate.ts";
import { bookOf } from "../../src/report/evidence-book.ts";
import { render } from "../../src/report/render.ts";
import type { Fact } from "../../src/signals/fact.ts";
import { investigated, textSubject } from "../investigated.ts";
import { nothingTraced } from "../nothing-traced.ts";
import { call, exception, frameAt, type Reported, reportedEvent } from "../reported-event.ts";

type Kind = NonNullable<Prediction["watch"]>["kind"];

const now = Date.parse("2026-03-01T10:00:05.000Z");
const program = { "src/prices.js": "export const price = (answer) => answer.amount.value;\n" };
const frames = [frameAt(program, "src/prices.js", "amount", "price")];
const request = { method: "GET", path: "/carts/1", route: "/carts/:id", headers: {} };
const failedCall = call(1, { method: "GET", url: "http://prices:8080/1", status_code: 503 });

function findingsOf(message = "boom", changes: Partial<Reported> = {}): Findings {
  const event = reportedEvent({ exceptions: [exception("Error", message, frames)], ...changes });
  const envelope = { service: "orders", env: "PROD", release: "1.4.2", host: "host-1", instance: "instance-1" };
  return {
    incident: { id: "inc_1", service: "orders", env: "PROD", fingerprint: "v1:0123456789abcdef" },
    ...{ observedAt: event.timestamp, error: parseEvent(event), event: readEventFacts(event, envelope) },
    ...{ files: [], frames: [], observations: [], signatures: [], notChecked: [] },
  };
}

function candidate(category: Category, line = 1, changes: Partial<Candidate> = {}): Candidate {
  return {
    subject: { kind: "place", file: "src/prices.js", line, function: "price", source: null },
    ...{ service: "orders", category, probability: 0.5, signals: [], frames: [], observations: [], signature: null },
    ...changes,
  };
}

/** A candidate that the telemetry supports. */
function knownBy(fact: Fact): Candidate {
  const source = { kind: "telemetry", name: "telemetry" } as const;
  const observation = observeData(source, {}, { observed_at: new Date(now).toISOString(), fact });
  return candidate("unknown", 1, { observations: [observation] });
}

function predict(findings: Findings, candidates: readonly Candidate[]): readonly Prediction[] {
  const confidence = {
    ...{
      score: 0.5,
      modelScore: 0.5,
      engineScore: 0.5,
      agreement: null,
      judged: 0,
      confirmed: 0,
      isTie: false,
      isContested: false,
      isForgeable: false,
      bareStack: null,
      about: "file" as const,
    },
  };
  return render(findings, nothingTraced, { candidates, confidence }, bookOf(findings), now).predictions;
}

const kindsOf = (predictions: readonly Prediction[]): readonly Kind[] =>
  predictions.flatMap(({ watch }) => watch?.kind ?? []);
const telling = (predictions: readonly Prediction[]) =>
  predictions.filter(({ tells_apart_from: rank }) => rank !== undefined);

describe("what a report predicts", () => {
  const everything = findingsOf("out of memory", { request, breadcrumbs: [failedCall] });
  const only: readonly Kind[] = ["failure-continues"];

  it.each<[Category, readonly Kind[]]>([
    ["deploy-regression", ["only-in-release", "stops-with-release", ...only]],
    ["dependency-outage", ["only-with-failed-call", "stops-with-recovery", ...only]],
    ["bad-config", ["restart-keeps", ...only]],
    ["resource-exhaustion", ["memory-climbs", "restart-clears", ...only]],
    ["filesystem", ["only-on-host", ...only]],
    ["data-validation", ["only-on-route", ...only]],
    ["null-dereference", only],
  ])("for a %s: %j", (category, kinds) => {
    expect(kindsOf(predict(everything, [candidate(category)]))).toEqual(kinds);
  });

  it.each<[string, Fact, Partial<Record<string, string>>]>([
    [
      "a suspect release",
      {
        kind: "deploy",
        deploy: {
          ...{ service: "orders", release: "1.4.0", previous: "1.3.9", at: "", verdict: "suspect" },
          ...{ reason: { kind: "only-in-release" }, firstSeen: "", counts: null, own: true, answeredLast: false },
        },
      },
      { kind: "only-in-release", release: "1.4.0" },
    ],
    [
      "calls that failed before most events",
      {
        kind: "failing-calls",
        calls: {
          ...{ host: "stock:9000", service: "stock", how: "unanswered", events: 9, of: 9, others: 0, othersOf: 9 },
          chance: 0,
        },
      },
      { kind: "only-with-failed-call", upstream: "stock:9000" },
    ],
    [
      "memory that climbed",
      {
        kind: "process-state",
        state: {
          ...{
            service: "orders",
            instance: "instance-1",
            host: "host-1",
            resource: "memory",
            of: "heap",
            own: true,
            severity: 1,
          },
          ...{ since: "", fromBytes: 1, toBytes: 2, limitBytes: null, climbs: true },
        },
      },
      { kind: "memory-climbs" },
    ],
    [
      "one host that has most of it",
      {
        kind: "concentration",
        concentration: { dimension: "host", value: "host-7", failing: 9, of: 9, expected: 0.1, chance: 0 },
      },
      { kind: "only-on-host", host: "host-7" },
    ],
  ])("depends on the evidence too: %s", (_, fact, expected) => {
    expect(predict(findingsOf(), [knownBy(fact)])[0]?.watch).toMatchObject(expected);
  });

  it("for a cause in another service includes that calls to it fail and recover", () => {
    const elsewhere = candidate("deploy-regression", 1, { service: "prices" });
    const found = findingsOf("x", { breadcrumbs: [failedCall] });
    expect(kindsOf(predict(found, [elsewhere]))).toEqual(["only-with-failed-call", "stops-with-recovery", ...only]);
  });

  it("leaves out what the event doesn't show: no route, no failed call, nothing about memory", () => {
    for (const category of ["data-validation", "dependency-outage"] as const) {
      expect(kindsOf(predict(findingsOf(), [candidate(category)]))).toEqual(only);
    }
    expect(kindsOf(predict(findingsOf(), [candidate("resource-exhaustion")]))).not.toContain("memory-climbs");
  });

  it("expects a restart to change nothing unless a credential was accepted earlier in the process", () => {
    const kinds = (...breadcrumbs: ReturnType<typeof call>[]): readonly Kind[] =>
      kindsOf(predict(findingsOf("x", { request, breadcrumbs }), [candidate("auth")]));
    const to = (secondsBefore: number, place: string, status_code: number) =>
      call(secondsBefore, { method: "GET", url: `http://${place}`, status_code });
    for (const status of [401, 403])
      expect(kinds(to(3, "vault:9/keys?page=1", 200), to(1, "vault:9/keys", status))).not.toContain("restart-keeps");
    expect(kinds(to(1, "vault:9/keys", 401))).toContain("restart-keeps");
    expect(kinds(to(3, "files:9/keys", 200), to(1, "vault:9/keys", 401))).toContain("restart-keeps");
    expect(kinds(to(3, "vault:9/health", 200), to(1, "vault:9/keys", 401))).toContain("restart-keeps");
    expect(kinds(to(3, "vault:9/keys", 403), to(1, "vault:9/keys", 401))).toContain("restart-keeps");
    expect(kinds(to(1, "vault:9/keys", 401), to(0.5, "vault:9/keys", 200))).toContain("restart-keeps");
    for (const status of [400, 404, 429, 500, 503])
      expect(kinds(to(3, "vault:9/keys", 200), to(1, "vault:9/keys", status))).toContain("restart-keeps");
  });

  it("expects a restart to change nothing for what has expired outside the process", () => {
    for (const message of ["jwt expired", "certificate has expired", "the card is expired", "ExpiredTokenException: x"])
      expect(kindsOf(predict(findingsOf(message, { request, breadcrumbs: [] }), [candidate("auth")]))).toContain(
        "restart-keeps",
      );
  });

  it("is about this failure from the report on, with what refutes it and until when it is watched", () => {
    for (const category of categories) {
      for (const { watch, due, refuted_by: against, check } of predict(everything, [candidate(category)])) {
        expect([against, check]).not.toContain("");
        expect(against).toBeTypeOf("string");
        expect(watch).toMatchObject({
          ...{ fingerprint: "v1:0123456789abcdef", service: "orders", env: "PROD", from: "2026-03-01T10:00:05.000Z" },
        });
        expect(Date.parse(due ?? "")).toBeGreaterThan(now);
      }
    }
  });
});

describe("predictions for two candidates", () => {
  it.each<[Category, Category, readonly Kind[]]>([
    ["deploy-regression", "null-dereference", ["only-in-release", "stops-with-release"]],
    ["dependency-outage", "null-dereference", ["only-with-failed-call", "stops-with-recovery"]],
    ["bad-config", "resource-exhaustion", ["restart-keeps"]],
    ["resource-exhaustion", "bad-config", ["memory-climbs", "restart-clears"]],
  ])("distinguish %s from %s by what only the first predicts, and say so", (first, second, kinds) => {
    const found = findingsOf("out of memory", { breadcrumbs: [failedCall] });
    const predictions = telling(predict(found, [candidate(first), candidate(second, 9)]));
    expect(kindsOf(predictions)).toEqual(kinds);
    for (const { statement, tells_apart_from: rank } of predictions) {
      expect([statement.includes("second candidate"), rank]).toEqual([true, 2]);
    }
  });

  it("don't distinguish them by a restart that doesn't help when the other is in the code, where it wouldn't help either", () => {
    const predictions = predict(findingsOf(), [candidate("bad-config"), candidate("null-dereference", 9)]);
    expect(kindsOf(predictions)).toContain("restart-keeps");
    expect(kindsOf(telling(predictions))).toEqual([]);
  });

  it("distinguish them by a change of the code when telemetry can't", () => {
    const predictions = predict(findingsOf(), [candidate("type-mismatch"), candidate("null-dereference", 9)]);
    expect(telling(predictions)).toMatchObject([{ due: null, statement: expect.stringContaining("prices.js:9") }]);
    expect(telling(predictions)[0]?.watch).toBeUndefined();
  });

  it("distinguish them whatever they are", () => {
    const found = findingsOf("out of memory", { request, breadcrumbs: [failedCall] });
    for (const first of categories) {
      for (const second of categories) {
        expect(telling(predict(found, [candidate(first), candidate(second, 9)])).length).toBeGreaterThan(0);
      }
    }
  });

  it("expect no end of the failure from a change where it was thrown, which may only hide it", async () => {
    const files = {
      "src/card.js": "export const label = (user) => user.name.trim();\n",
      "src/list.js":
        'import { label } from "./card.js";\n\nexport const list = (users) => users.map((one) => label(one));\n',
    };
    const log = `TypeError: Cannot read properties of undefined (reading 'trim')
    at label (/srv/src/card.js:1:41)
    at list (/srv/src/list.js:3:58)
`;
    const { report } = await investigated(textSubject(log, files));
    expect(report.candidates.length).toBeGreaterThan(1);
    expect(report.candidates[0]?.location).toMatchObject({ file: "src/card.js", line: 1 });
    const said = report.predictions.map(({ statement }) => statement).join("\n");
    expect(said).not.toContain("alone ends the failure");
    expect(said).toContain("what reaches `label` (`src/card.js:1`) is as intended, and the failure starts there");
  });

  const installed: Partial<Candidate> = {
    subject: { kind: "place", file: "node_modules/pg/client.js", line: 7, function: "query", source: null },
  };
  const address: Partial<Candidate> = { subject: { kind: "dependency", name: "10.0.0.9:5432" }, service: null };
  const unnamed: Partial<Candidate> = { subject: { kind: "service", service: "" }, service: null };

  it.each([
    [
      "a package",
      installed,
      {},
      "If this is right, changing `price` (`src/prices.js:1`) alone doesn't end the failure.",
    ],
    ["an address", address, {}, "If this is right, the failure ends once calls to `10.0.0.9:5432` succeed again."],
    [
      "own code beside a package",
      {},
      installed,
      "If this is right, the failure continues until `price` (`src/prices.js:1`) is changed",
    ],
    ["a package beside an address", installed, address, null],
    ["what has no name", unnamed, installed, null],
  ])("never expect someone to change what no one changes: %s", (_, first, second, expected) => {
    const named = [first, second].map((one) => candidate("null-dereference", 1, one));
    const statements = predict({ ...findingsOf(), event: null }, named).map(({ statement }) => statement);
    expect(statements.join("\n")).not.toMatch(
      /Changing `?(?:\S*node_modules|10\.)|until `?\S*node_modules|the failure is changed/,
    );
    if (expected === null) expect(statements).toEqual([]);
    else expect(statements.join("\n")).toContain(expected);
  });

  it("distinguish nothing when there is only one", () => {
    expect(telling(predict(findingsOf(), [candidate("bad-config")]))).toEqual([]);
  });
});

describe("predictions", () => {
  it("for pasted text can only be checked by a person, because its failure isn't monitored", async () => {
    const { report } = await investigated(textSubject("Error: connect ECONNREFUSED 10.0.0.1:80"));
    expect(report.predictions.length).toBeGreaterThan(0);
    expect(report.predictions.filter(({ watch }) => watch)).toEqual([]);
  });

  it("quote outside text as data", () => {
    const trail = [call(1, { method: "GET", url: "http://evil`host[e1].example/", status_code: 500 })];
    const predictions = predict(findingsOf("x", { breadcrumbs: trail }), [candidate("dependency-outage")]);
    expect(kindsOf(predictions)).toContain("only-with-failed-call");
    for (const { statement, check } of predictions) expect(`${statement} ${check}`).not.toContain("[e1]");
  });
});
