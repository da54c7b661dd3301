import { describe, expect, it } from "vitest";
import { rateHours, sayRate } from "../../../src/features/services/error-rate.ts";
import { newServices } from "../../../src/features/services/new-services.ts";
import { nodePrograms } from "../../../src/features/services/node-programs.ts";
import { startCommand } from "../../../src/features/services/programs.ts";
import { pythonPrograms } from "../../../src/features/services/python-programs.ts";
import { failureHours, sayFailures } from "../../../src/lib/failure-hours.ts";

const now = Date.parse("2026-03-02T12:30:00.000Z");
const values = { key: "whk_1", service: "the shop's", endpoint: "http://127.0.0.1:4000" };

describe("the failures of a day", () => {
  it("have a bar for each hour, including those without any", () => {
    const hours = failureHours([{ hour: "2026-03-02T11:00:00.000Z", events: 7 }], now);
    expect(hours).toHaveLength(25);
    expect(hours[0]?.at).toBe(Date.parse("2026-03-01T12:00:00.000Z"));
    expect(hours.filter(({ events }) => events > 0)).toEqual([{ at: Date.parse("2026-03-02T11:00:00Z"), events: 7 }]);
    expect(sayFailures(hours)).toMatch(/^7 failing events in the last day, most in the hour from \d\d:00: 7$/);
    expect(sayFailures(failureHours([], now))).toBe("No failures in the last day");
  });
});

describe("the requests of a day", () => {
  const answers = (requests: number, failed: number) => [{ hour: "2026-03-02T11:00:00.000Z", requests, failed }];
  const say = (requests: number, failed: number) => sayRate(rateHours(answers(requests, failed), now) ?? []);

  it("are unknown when none were counted", () => {
    expect(rateHours([], now)).toBeNull();
    expect(rateHours(answers(7, 1), now)).toHaveLength(25);
  });

  it("are described with the share that failed", () => {
    expect(say(7_200, 180)).toMatch(/^2.5% of 7,200 requests failed .*most in the hour from \d\d:00: 2.5%$/);
    expect(say(10_000, 1)).toMatch(/^<0.1% of/);
    expect(say(3, 1)).toMatch(/^33% of 3 requests/);
    expect(say(1, 0)).toBe("None of 1 request failed in the last day");
  });
});

describe("a new service", () => {
  it("is one with another name or environment than before", () => {
    const service = (name: string, env: string) => ({
      service: name,
      env,
      release: null,
      last_heard_at: "",
      spool_folder: null,
      spool_off: null,
      processes: 1,
      failures: [],
      answers: [],
      incidents: 0,
    });
    const before = [service("shop", "PROD")];
    const after = [...before, service("shop", "STAGING")];
    expect(newServices(before, before)).toEqual([]);
    expect(newServices(before, after)).toEqual([after[1]]);
  });
});

describe("the snippets", () => {
  it("quote a name for the shell and the program when it is more than a word", () => {
    expect(startCommand(nodePrograms.node, values)).toContain(`WHENCE_SERVICE='the shop'\\''s' \\\n`);
    expect(startCommand(nodePrograms.node, { ...values, service: "shop" })).toContain("WHENCE_SERVICE=shop \\\n");
    expect(nodePrograms.express.code(values)).toContain(`service: "the shop's",`);
  });

  it("install the client from the service that shows them", () => {
    expect(nodePrograms.express.install(values)).toBe("npm install http://127.0.0.1:4000/sdk/node.tgz");
    const index = "http://127.0.0.1:4000/sdk/simple";
    expect(pythonPrograms.python.install(values)).toBe(`pip install --index-url ${index} whence`);
  });

  it("tell pip to trust a host without TLS", () => {
    const install = (endpoint: string) => pythonPrograms.django.install({ ...values, endpoint });
    expect(install("http://whence.internal:4000")).toContain("/sdk/simple whence --trusted-host whence.internal");
    expect(install("https://whence.example.com")).not.toContain("--trusted-host");
  });

  it("keep the key out of the program", () => {
    for (const program of [nodePrograms.express, nodePrograms.fastify]) {
      expect(program.code(values)).not.toContain("whk_1");
      expect(startCommand(program, values)).toBe("WHENCE_API_KEY=whk_1 node app.js");
    }
    for (const program of [pythonPrograms.flask, pythonPrograms.fastapi, pythonPrograms.django]) {
      expect(program.code(values)).not.toContain("whk_1");
      expect(program.code(values)).toContain('api_key=os.environ["WHENCE_API_KEY"],');
      expect(startCommand(program, values)).toMatch(/^WHENCE_API_KEY=whk_1 (flask|uvicorn|python) /);
    }
  });
});
