// Scheduled tasks of Nest that fail, and one that a request starts.
import "reflect-metadata";
import { createServer, get } from "node:http";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { Cron, Interval, ScheduleModule, SchedulerRegistry, Timeout } from "@nestjs/schedule";
import { decorate, logger, printStack, takeFromStock } from "./orders.mjs";

const closed = new Error("the shop is closed");
let runs = 0;

class Tasks {
  async late() {
    await takeFromStock("a");
  }
  async alsoLate() {
    await takeFromStock("b");
  }
  atOnce() {
    console.log("order c");
    null.price;
  }
  async often() {
    runs += 1;
    if (runs > 2) return;
    console.log("order", `d${runs}`);
    throw closed;
  }
  async asked() {
    await takeFromStock("e");
  }
}
decorate(Tasks, "late", Timeout(1));
decorate(Tasks, "alsoLate", Timeout(1));
decorate(Tasks, "atOnce", Timeout(200));
decorate(Tasks, "often", Interval("often", 100));
decorate(Tasks, "asked", Cron("0 0 1 1 *", { name: "asked" }));
class App {}
Module({ imports: [ScheduleModule.forRoot()], providers: [Tasks] })(App);

let failed = 0;
const app = await NestFactory.createApplicationContext(App, { logger: { ...logger, error } });
const registry = app.get(SchedulerRegistry);

function error(failure) {
  printStack(failure);
  failed += 1;
  if (failed === 5) askOnce();
  if (failed === 6) void app.close();
}

function askOnce() {
  const server = createServer((_request, response) => {
    console.log("order of the request");
    registry.getCronJob("asked").fireOnTick();
    console.log("has begun");
    console.error(new Error("could not wait"));
    response.end();
  });
  server.listen(0, "127.0.0.1", () => {
    get({ port: server.address().port, path: "/ask", agent: false }, (response) => {
      response.resume().on("end", () => server.close());
    });
  });
}
