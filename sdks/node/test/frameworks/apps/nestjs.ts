import "reflect-metadata";
import type { ArgumentsHost, INestApplication } from "@nestjs/common";
import { Catch, Controller, Get, HttpException, Module, Param, Post, StreamableFile } from "@nestjs/common";
import { BaseExceptionFilter, NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { whenceNest } from "../../../src/frameworks/nestjs.ts";
import { brokenStream, captured, type Framework, placeOrder, type Service } from "../service.ts";

class Orders {
  place(id: string): Promise<never> {
    return placeOrder(id);
  }
}

class Shop {
  fine(): string {
    return "fine";
  }
  captured(): never {
    throw captured();
  }
  wrong(): never {
    throw new HttpException("short and stout", 418);
  }
  unavailable(): never {
    throw new HttpException("closed for today", 503);
  }
  stream(): StreamableFile {
    return new StreamableFile(brokenStream());
  }
  hang(): Promise<never> {
    return new Promise(() => undefined);
  }
  text(): never {
    throw "a text";
  }
}

class ShopModule {}

/** Logs each exception, and lets Nest respond. */
class Log extends BaseExceptionFilter {
  readonly told: string[] = [];
  override catch(exception: unknown, host: ArgumentsHost): void {
    this.told.push(String(exception));
    super.catch(exception, host);
  }
}

// Decorators are called as functions, since Node doesn't support their syntax.
decorate(Orders, "place", Post("orders/:id"));
Param("id")(Orders.prototype, "place", 0);
Controller("api")(Orders);
for (const name of ["fine", "captured", "wrong", "unavailable", "stream", "hang", "text"] as const) {
  decorate(Shop, name, Get(name));
}
Controller()(Shop);
Catch()(Log);
Module({ controllers: [Orders, Shop] })(ShopModule);

function decorate(target: { prototype: object }, method: string, decorator: MethodDecorator): void {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, method);
  if (descriptor) decorator(target.prototype, method, descriptor);
}

/** Nest on Express. */
export const nestOnExpress: Framework = {
  name: "NestJS on Express",
  mechanism: "nestjs",
  start: async (whence) => serve(await NestFactory.create(ShopModule, new ExpressAdapter(), { logger: false }), whence),
};

/** Nest on Fastify. */
export const nestOnFastify: Framework = {
  name: "NestJS on Fastify",
  mechanism: "nestjs",
  start: async (whence) => serve(await NestFactory.create(ShopModule, new FastifyAdapter(), { logger: false }), whence),
};

async function serve(app: INestApplication, whence: boolean): Promise<Service> {
  const log = new Log(app.getHttpAdapter());
  app.useGlobalFilters(log);
  if (whence) whenceNest(app);
  await app.listen(0, "127.0.0.1");
  return {
    base: await app.getUrl(),
    told: log.told,
    close: async () => {
      app.getHttpServer().closeAllConnections();
      await app.close();
    },
  };
}
