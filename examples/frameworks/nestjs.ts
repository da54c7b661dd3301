import "reflect-metadata";
import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { credentialHeaders, init } from "@whence/node";
import { whenceNest } from "@whence/node/nestjs";
import { announce, findOrder } from "./orders.ts";

init({
  apiKey: process.env.WHENCE_API_KEY,
  service: "nestjs",
  endpoint: process.env.WHENCE_ENDPOINT,
  redact: credentialHeaders,
});

@Controller("orders")
class Orders {
  @Get(":id")
  find(): Promise<{ id: string }> {
    return findOrder("31");
  }
}

@Module({ controllers: [Orders] })
class Shop {}

const app = await NestFactory.create(Shop);
whenceNest(app); // after your global filters, before listen
await app.listen(0);
announce(app.getHttpServer());
