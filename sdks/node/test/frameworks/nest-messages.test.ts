import "reflect-metadata";
import { Controller, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import {
  type ClientProxy,
  ClientProxyFactory,
  EventPattern,
  MessagePattern,
  RpcException,
  Transport,
} from "@nestjs/microservices";
import { lastValueFrom, mergeMap, of } from "rxjs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whenceNest } from "../../src/frameworks/nestjs.ts";
import { addBreadcrumb, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { pause } from "./service.ts";

class Stock {
  async take(id: string): Promise<never> {
    addBreadcrumb({ category: "order", message: id });
    await pause();
    addBreadcrumb({ category: "stock", message: id });
    throw new Error(`no stock of ${id}`);
  }
  /** Fails after its first value, long after the handler has returned. */
  watch(id: string): unknown {
    return of(id, "").pipe(
      mergeMap(async (one) => {
        if (one !== "") return one;
        addBreadcrumb({ category: "watch", message: id });
        await pause();
        throw new Error(`${id} is gone`);
      }),
    );
  }
  wrong(): never {
    throw new RpcException({ statusCode: 404, message: "no such order" });
  }
  refused(): never {
    throw new RpcException("Forbidden resource");
  }
  declined(): never {
    throw new RpcException("the bank said no");
  }
  sold(id: string): Promise<never> {
    return this.take(id);
  }
}

// Decorators are called as functions, since Node doesn't support their syntax.
for (const name of ["take", "watch", "wrong", "refused", "declined", "sold"] as const) {
  const descriptor = Object.getOwnPropertyDescriptor(Stock.prototype, name);
  const decorate = name === "sold" ? EventPattern(name) : MessagePattern(name);
  if (descriptor) decorate(Stock.prototype, name, descriptor);
}
Controller()(Stock);
class App {}
Module({ controllers: [Stock] })(App);

let gateway: TestGateway;
let client: ClientProxy;
let stop: () => Promise<void>;

beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  client.close();
  await stop();
  await close(1_000);
  await gateway.close();
});

const transport = { transport: Transport.TCP, options: { host: "127.0.0.1", port: 0 } } as const;

/** Connects to the microservice's port. */
function connectTo(microservice: { unwrap<T>(): T; close(): Promise<void> }): void {
  const address = microservice.unwrap<import("node:net").Server>().address();
  const port = typeof address === "object" && address ? address.port : 0;
  client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host: "127.0.0.1", port } });
}

async function startAlone(): Promise<void> {
  const app = await NestFactory.createMicroservice(App, { ...transport, logger: false });
  whenceNest(app);
  await app.listen();
  stop = () => app.close();
  connectTo(app);
}

async function startBesideHttp(): Promise<void> {
  const app = await NestFactory.create(App, { logger: false });
  whenceNest(app);
  const microservice = app.connectMicroservice(transport, { deferInitialization: true });
  whenceNest(microservice);
  await app.startAllMicroservices();
  stop = () => app.close();
  connectTo(microservice);
}

/** Returns the caller's response. */
async function ask(pattern: string, id = ""): Promise<unknown> {
  return lastValueFrom(client.send(pattern, id)).catch((error: unknown) => error);
}

describe.each([
  ["alone", startAlone],
  ["of a hybrid application", startBesideHttp],
])("a microservice of NestJS %s", (_kind, start) => {
  it("records a message handler's error with its pattern and its own breadcrumbs, and responds as without the client", async () => {
    await start();
    const answers = await Promise.all([ask("take", "a"), ask("take", "b"), ask("watch", "c")]);
    expect(answers).toEqual(Array(3).fill({ status: "error", message: "Internal server error" }));
    await flush();
    const told = gateway.events("exception").map(({ message, mechanism, attributes, breadcrumbs }) => ({
      message,
      mechanism: mechanism.type,
      job: attributes?.job,
      breadcrumbs: breadcrumbs?.map((crumb) => `${crumb.category} ${crumb.message}`),
    }));
    const of = (message: string, job: string, ...breadcrumbs: string[]): object => ({
      message,
      mechanism: "nestjs",
      job,
      breadcrumbs,
    });
    expect(told.sort((a, b) => a.message.localeCompare(b.message))).toEqual([
      of("c is gone", "watch", "watch c"),
      of("no stock of a", "take", "order a", "stock a"),
      of("no stock of b", "take", "order b", "stock b"),
    ]);
  });

  it("records an event without a response, but no bad message", async () => {
    await start();
    expect(await ask("wrong")).toEqual({ statusCode: 404, message: "no such order" });
    expect(await ask("refused")).toMatchObject({ message: "Forbidden resource" });
    expect(await ask("declined")).toMatchObject({ message: "the bank said no" });
    await lastValueFrom(client.emit("sold", "d"), { defaultValue: undefined });
    // Messages of a connection are handled in order.
    await ask("take", "e");
    await flush();
    expect(gateway.events("exception").map(({ message, attributes }) => [message, attributes?.job])).toEqual([
      ["the bank said no", "declined"],
      ["no stock of d", "sold"],
      ["no stock of e", "take"],
    ]);
  });
});
