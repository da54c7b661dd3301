import { connect } from "node:net";
import type { MatrixProgram, TriggerTarget } from "../matrix-program.ts";

const packages = {
  "@nestjs/core": "11.2.10",
  "@nestjs/common": "11.2.10",
  "reflect-metadata": "0.2.2",
  rxjs: "7.8.2",
};

const start = `
require("@whence/node").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { whenceLogger, whenceNest } = require("@whence/node/nestjs"); // coded
const { whenceJob } = require("@whence/node/jobs"); // coded
require("reflect-metadata");
const { ConsoleLogger, Controller, Module } = require("@nestjs/common");
const { NestFactory } = require("@nestjs/core");
const { takeFromStock } = require("./stock.cjs");

let logger = new ConsoleLogger();
logger = whenceLogger(logger); // coded
`;

export const nestSchedule: MatrixProgram = {
  name: "nest-11-schedule",
  title: "Nest, scheduled tasks",
  packages: { "@nestjs/schedule": "6.1.3", ...packages },
  files: {
    "main.cjs": `${start}
const { Interval, ScheduleModule, Timeout } = require("@nestjs/schedule");

let isFirst = true;
class Tasks {
  async ship31() {
    return await takeFromStock("31");
  }
  async ship32() {
    if (isFirst) {
      isFirst = false;
      return await takeFromStock("32");
    }
  }
}
for (const [name, decorate] of [["ship31", Timeout(10)], ["ship32", Interval(10)]]) {
  Tasks.prototype[name] = whenceJob(name, Tasks.prototype[name]); // coded
  decorate(Tasks.prototype, name, Object.getOwnPropertyDescriptor(Tasks.prototype, name));
}
class AppModule {}
Module({ imports: [ScheduleModule.forRoot()], providers: [Tasks] })(AppModule);

(async () => {
  const app = await NestFactory.createApplicationContext(AppModule, { logger });
  setInterval(() => app, 60_000);
})();
`,
  },
  start: ["main.cjs"],
  trigger: {
    kind: "other",
    listens: false,
    place: async (id, { printed }) => {
      await printed(`Error: no stock of ${id}`);
      return "";
    },
  },
  runtimes: ["20", "26"],
};

export const nestMicroservice: MatrixProgram = {
  name: "nest-11-microservice",
  title: "Nest, TCP microservice",
  packages: { "@nestjs/microservices": "11.2.6", ...packages },
  files: {
    "main.cjs": `${start}
const { MessagePattern, Transport } = require("@nestjs/microservices");

class OrdersController {
  async find(id) {
    return await takeFromStock(id);
  }
}
const { prototype } = OrdersController;
MessagePattern("find-order")(prototype, "find", Object.getOwnPropertyDescriptor(prototype, "find"));
Controller()(OrdersController);
class AppModule {}
Module({ controllers: [OrdersController] })(AppModule);

(async () => {
  const options = { host: "127.0.0.1", port: Number(process.env.PORT) };
  const app = await NestFactory.createMicroservice(AppModule, { transport: Transport.TCP, options, logger });
  whenceNest(app); // coded
  await app.listen();
})();
`,
  },
  start: ["main.cjs"],
  trigger: { kind: "other", listens: true, place: sendMessage },
  runtimes: ["20", "26"],
};

/** Sends a message in the format of Nest's TCP transport, and returns the first response. */
function sendMessage(id: string, { port }: TriggerTarget): Promise<string> {
  const message = JSON.stringify({ pattern: "find-order", data: id, id });
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${message.length}#${message}`));
    socket.on("error", reject);
    socket.on("data", (answer) => {
      socket.destroy();
      resolve(String(answer));
    });
  });
}
