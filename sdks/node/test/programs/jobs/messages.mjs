// A microservice of Nest whose handlers fail; prints its caller's responses.
import "reflect-metadata";
import { Controller, Module, NotFoundException } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ClientProxyFactory, EventPattern, MessagePattern, RpcException, Transport } from "@nestjs/microservices";
import { lastValueFrom, mergeMap, of } from "rxjs";
import { decorate, logger, takeFromStock } from "./orders.mjs";

class Stock {
  async take(id) {
    return await takeFromStock(id);
  }
  watch(id) {
    return of(id).pipe(mergeMap(takeFromStock));
  }
  sold(id) {
    throw new TypeError(`no price of ${id}`);
  }
  declined() {
    throw new RpcException("the bank said no");
  }
  missing() {
    throw new NotFoundException("no such order");
  }
}
decorate(Stock, "take", MessagePattern("take"));
decorate(Stock, "watch", MessagePattern({ watch: "stock" }));
decorate(Stock, "sold", EventPattern("sold"));
decorate(Stock, "declined", MessagePattern("declined"));
decorate(Stock, "missing", MessagePattern("missing"));
Controller()(Stock);
class App {}
Module({ controllers: [Stock] })(App);

const transport = Transport.TCP;
const app = await NestFactory.createMicroservice(App, {
  ...{ transport, logger },
  options: { host: "127.0.0.1", port: 0 },
});
await app.listen();
const { port } = app.unwrap().address();
const client = ClientProxyFactory.create({ transport, options: { host: "127.0.0.1", port } });
const ask = (pattern, id = "") => lastValueFrom(client.send(pattern, id)).catch((error) => error);
const print = (...answers) => process.stdout.write(`${JSON.stringify(answers)}\n`);
print(await Promise.all([ask("take", "a"), ask("take", "b"), ask({ watch: "stock" }, "c")]));
print(await ask("declined"), await ask("missing"));
await lastValueFrom(client.emit("sold", "d"), { defaultValue: undefined });
// Messages of a connection are handled in order.
print(await ask("take", "e"));
console.error(new Error("closed for today"));
client.close();
await app.close();
