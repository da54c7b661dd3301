import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceRequests } from "../../src/frameworks/express.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import { addBreadcrumb, captureException, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { pause } from "./service.ts";

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

describe("a job", () => {
  it("that fails is recorded with its name and its own breadcrumbs, and fails as usual", async () => {
    const error = new Error("no such mailbox");
    const send = whenceJob("send-mail", async (to: string) => {
      addBreadcrumb({ category: "mail", message: to });
      await pause();
      throw error;
    });
    const ends = await Promise.allSettled([send("a"), send("b")]);
    expect(ends.map((end) => end.status === "rejected" && end.reason === error)).toEqual([true, true]);
    await flush();
    expect(gateway.events("exception")).toMatchObject(
      ["a", "b"].map((message) => ({
        mechanism: { type: "job", handled: true },
        attributes: { job: "send-mail" },
        breadcrumbs: [{ category: "mail", message }],
        trace: { trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
      })),
    );
    expect(gateway.events("exception")[0]?.request).toBeUndefined();
  });

  it("has its own breadcrumbs, and marks those that the process recorded outside of any job or request", async () => {
    addBreadcrumb({ category: "process", message: "started" });
    const send = whenceJob("send-mail", async () => {
      addBreadcrumb({ category: "mail", message: "own" });
      throw new Error("no such mailbox");
    });
    await expect(send()).rejects.toThrow();
    captureException(new Error("outside"));
    await flush();
    const trails = gateway
      .events("exception")
      .map(({ breadcrumbs }) => breadcrumbs?.map(({ message, scope }) => [message, scope]));
    expect(trails).toEqual([
      [
        ["started", "process"],
        ["own", undefined],
      ],
      [["started", "process"]],
    ]);
  });

  it("that fails inside another, or inside a request, is one failure there, and another elsewhere", async () => {
    const full = new Error("mailbox full");
    const send = whenceJob("send-mail", async () => Promise.reject(full));
    const order = whenceJob("order", async () => send());
    await expect(order()).rejects.toBe(full);
    await new Promise<void>((resolve) => {
      const serve = (): void =>
        void order()
          .catch(captureException)
          .then(() => resolve());
      whenceRequests()({ method: "GET", url: "/orders", headers: {} }, undefined, serve);
    });
    await flush();
    const jobs = gateway.events("exception").map(({ attributes }) => attributes?.job);
    expect(jobs).toEqual(["send-mail", "send-mail"]);
  });

  it("that throws synchronously is recorded, and throws the same", async () => {
    const error = new TypeError("no function");
    expect(() =>
      whenceJob("tick", () => {
        throw error;
      })(),
    ).toThrow(error);
    await flush();
    expect(gateway.events("exception")).toMatchObject([{ message: "no function", attributes: { job: "tick" } }]);
  });

  it("keeps this, arguments, result, name, and number of parameters", async () => {
    const worker = {
      base: 40,
      add: whenceJob("add", function add(this: { base: number }, more: number) {
        return this.base + more;
      }),
    };
    expect(worker.add(2)).toBe(42);
    expect([worker.add.name, worker.add.length]).toEqual(["add", 1]);
    // biome-ignore lint/suspicious/noThenProperty: query builders are such objects, and run when they are asked
    const thenable = { then: () => expect.unreachable("never called") };
    expect(whenceJob("lazy", () => thenable)()).toBe(thenable);
    await flush();
    expect(gateway.events("exception")).toEqual([]);
  });

  it("adds its name to what its own code captures", async () => {
    whenceJob("count", () => captureException(new Error("odd"), { attributes: { count: 3 } }))();
    await flush();
    expect(gateway.events("exception")).toMatchObject([{ attributes: { job: "count", count: 3 } }]);
  });

  it("leaves a rejection that isn't awaited unhandled", async () => {
    const unhandled: unknown[] = [];
    const hear = (reason: unknown): number => unhandled.push(reason);
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", hear);
    void whenceJob("lost", async () => Promise.reject(new Error("lost")))();
    await pause();
    await pause();
    process.off("unhandledRejection", hear);
    for (const other of others) process.on("unhandledRejection", other);
    expect(unhandled).toEqual([new Error("lost")]);
    await flush();
    expect(gateway.events("exception")).toHaveLength(1);
  });
});
