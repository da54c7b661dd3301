import type { TelemetryEvent } from "@whence/protocol";
import express from "express";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceErrors, whenceRequests } from "../../src/frameworks/express.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import {
  captureException,
  captureMessage,
  close,
  flush,
  init,
  setContext,
  setTag,
  setTags,
  setUser,
  withScope,
} from "../../src/index.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";
import { ask } from "../frameworks/raw-request.ts";
import { pause, serviceOf } from "../frameworks/service.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url, redact: ["iban"] });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

/** Returns the facts of the arrived failures and messages, by message. */
async function factsOf(): Promise<Record<string, Pick<TelemetryEvent, "user" | "tags" | "contexts">>> {
  await flush();
  const events = gateway.events().filter(({ type }) => type === "exception" || type === "log");
  return Object.fromEntries(
    events.map(({ message, user, tags, contexts }) => [
      message,
      { ...(user && { user }), ...(tags && { tags }), ...(contexts && { contexts }) },
    ]),
  );
}

describe("facts set outside of any request", () => {
  it("are on every later event of the process, and on none before", async () => {
    captureMessage("before");
    setUser({ id: 31, email: "ada@example.com" });
    setTags({ shard: 7, canary: true });
    setTag("region", "eu");
    setContext("build", { number: 12 });
    captureMessage("message");
    captureException(new Error("exception"));
    const facts = {
      user: { id: 31, email: "ada@example.com" },
      tags: { shard: "7", canary: "true", region: "eu" },
      contexts: { build: { number: 12 } },
    };
    expect(await factsOf()).toEqual({ before: {}, message: facts, exception: facts });
  });

  it("can be removed", async () => {
    setUser({ id: 1 });
    setTags({ shard: 7, region: "eu" });
    setContext("build", { number: 12 });
    setUser(null);
    setTag("shard", undefined);
    setContext("build", null);
    captureMessage("after");
    expect(await factsOf()).toEqual({ after: { tags: { region: "eu" } } });
  });

  it("are not in heartbeats", async () => {
    setTag("shard", 7);
    captureMessage("x");
    await flush();
    expect(gateway.events("heartbeat").map(({ tags }) => tags)).toEqual([undefined]);
  });

  it("are recorded as of the capture", async () => {
    const user = { id: 1 };
    setUser(user);
    user.id = 2;
    captureMessage("first");
    setUser({ id: 3 });
    expect(await factsOf()).toEqual({ first: { user: { id: 1 } } });
  });
});

describe("facts set inside a request", () => {
  it("are only in that request's errors, together with the process's, which they override", async () => {
    setTags({ region: "eu", tenant: "none" });
    setUser({ id: "process" });
    const app = express();
    app.set("env", "test");
    app.use(whenceRequests());
    app.get("/:tenant", async (request) => {
      setUser({ id: `user of ${request.params.tenant}` });
      await pause();
      setTag("tenant", request.params.tenant);
      await pause();
      throw new Error(request.params.tenant);
    });
    app.use(whenceErrors());
    const service = await serviceOf(app, []);
    await Promise.all(["acme", "umbrella"].map((tenant) => ask(`${service.base}/${tenant}`)));
    captureMessage("outside");
    expect(await factsOf()).toEqual({
      acme: { user: { id: "user of acme" }, tags: { region: "eu", tenant: "acme" } },
      umbrella: { user: { id: "user of umbrella" }, tags: { region: "eu", tenant: "umbrella" } },
      outside: { user: { id: "process" }, tags: { region: "eu", tenant: "none" } },
    });
    await service.close();
  });

  it("are inherited by a job that starts there, while the job's facts stay in the job", async () => {
    const job = whenceJob("inner", async () => {
      setTag("step", "inner");
      captureMessage("inner");
      await pause();
    });
    const outer = whenceJob("outer", async () => {
      setUser({ id: 1 });
      await job();
      captureMessage("outer");
    });
    await outer();
    expect(await factsOf()).toEqual({
      inner: { user: { id: 1 }, tags: { step: "inner" } },
      outer: { user: { id: 1 } },
    });
  });
});

describe("withScope", () => {
  it("runs its callback with the facts set so far, and drops those set inside", async () => {
    setTag("region", "eu");
    const job = whenceJob("job", async () => {
      setTag("tenant", "acme");
      const returned = await withScope(async (scope) => {
        scope.setTag("attempt", 1);
        await pause();
        setContext("cart", { items: 3 });
        captureMessage("inside");
        return "returned";
      });
      captureMessage(returned);
    });
    await job();
    withScope((scope) => {
      scope.setTags({ a: 1 });
      scope.setContext("b", { c: 2 });
      scope.setUser({ id: 3 });
      captureMessage("process");
    });
    captureMessage("outside");
    expect(await factsOf()).toEqual({
      inside: { tags: { region: "eu", tenant: "acme", attempt: "1" }, contexts: { cart: { items: 3 } } },
      returned: { tags: { region: "eu", tenant: "acme" } },
      process: { user: { id: 3 }, tags: { region: "eu", a: "1" }, contexts: { b: { c: 2 } } },
      outside: { tags: { region: "eu" } },
    });
  });

  it("doesn't apply to a request that starts inside it", async () => {
    const job = whenceJob("job", async (name: string) => {
      setTag("job", name);
      await pause();
      captureMessage(name);
    });
    await withScope(async (scope) => {
      scope.setTag("worker", 1);
      await Promise.all([job("a"), job("b")]);
      captureMessage("worker");
    });
    expect(await factsOf()).toEqual({
      a: { tags: { worker: "1", job: "a" } },
      b: { tags: { worker: "1", job: "b" } },
      worker: { tags: { worker: "1" } },
    });
  });

  it("throws what its callback throws, and works without a client", async () => {
    const fail = (): never => {
      throw new Error("the callback's own");
    };
    expect(() => withScope(fail)).toThrow("the callback's own");
    await close();
    expect(() => withScope(fail)).toThrow("the callback's own");
    expect(
      withScope((scope) => {
        scope.setTag("a", 1);
        return "ran";
      }),
    ).toBe("ran");
  });
});

describe("the facts of a scope", () => {
  it("are redacted by the program's added names, and the event lists where", async () => {
    setUser({ id: 1, iban: "DE00" });
    setTag("iban", "DE00");
    setContext("payment", { to: { iban: "DE00" }, headers: { authorization: "Bearer x" } });
    captureMessage("x");
    await flush();
    const [event] = gateway.events("log");
    expect(JSON.stringify([event?.user, event?.tags, event?.contexts])).not.toMatch(/DE00|Bearer/);
    expect(event?.redactions).toEqual([
      { rule: "added-name", path: "/user/iban" },
      { rule: "added-name", path: "/tags/iban" },
      { rule: "added-name", path: "/contexts/payment/to/iban" },
      { rule: "default-name", path: "/contexts/payment/headers/authorization" },
    ]);
  });

  it("are limited: the newest tags and contexts stay, and long texts are trimmed", async () => {
    for (let index = 0; index < 1_000; index++) {
      setTag(`tag ${index}`, "x".repeat(100_000));
      setContext(`context ${index}`, { text: "x".repeat(100_000) });
    }
    setUser({ id: "x".repeat(100_000) });
    captureMessage("x");
    await flush();
    const [event] = gateway.events("log");
    expect(Object.keys(event?.tags ?? {})).toHaveLength(sdkLimits.tagsMax);
    expect(event?.tags).toHaveProperty("tag 999");
    expect(Object.keys(event?.contexts ?? {})).toHaveLength(sdkLimits.contextsMax);
    expect(event?.contexts).toHaveProperty("context 999");
    expect(JSON.stringify([event?.user, event?.tags, event?.contexts]).length).toBeLessThan(200_000);
  });

  it("may be anything: unusable values are left out", async () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("a trap");
        },
      },
    );
    const unsafe: {
      setUser(user: unknown): void;
      setTag(key: unknown, value: unknown): void;
      setTags(tags: unknown): void;
      setContext(name: unknown, context: unknown): void;
    } = { setUser, setTag, setTags, setContext } as never;
    for (const value of [hostile, 7, "text", Symbol("s"), () => 1, undefined]) {
      unsafe.setUser(value);
      unsafe.setTags(value);
      unsafe.setTag(value, value);
      unsafe.setContext(value, value);
    }
    expect(captureMessage("x")).toEqual(expect.any(String));
    expect(await flush()).toBe(true);
    expect(gateway.events("log")).toHaveLength(1);
  });
});
