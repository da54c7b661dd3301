import { getOrder, type MatrixProgram } from "../matrix-program.ts";

const packages = {
  "@nestjs/core": "11.2.10",
  "@nestjs/common": "11.2.10",
  "@nestjs/platform-express": "11.2.10",
  "reflect-metadata": "0.2.2",
  rxjs: "7.8.2",
};

/** Decorators are called as functions, since Node doesn't support their syntax. */
const orders = `
require("reflect-metadata");
const { Controller, Get, Module, Param } = require("@nestjs/common");
const { takeFromStock } = require("./stock.cjs");

class OrdersController {
  async find(id) {
    return await takeFromStock(id);
  }
}
const { prototype } = OrdersController;
Param("id")(prototype, "find", 0);
Get(":id")(prototype, "find", Object.getOwnPropertyDescriptor(prototype, "find"));
Controller("orders")(OrdersController);

exports.AppModule = class AppModule {};
Module({ controllers: [OrdersController] })(exports.AppModule);
`;

const start = `
require("@whence/node").init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT }); // coded
const { whenceLogger, whenceNest } = require("@whence/node/nestjs"); // coded
const { ConsoleLogger } = require("@nestjs/common");
const { NestFactory } = require("@nestjs/core");
const { AppModule } = require("./orders.cjs");
`;

/** A Nest program that handles an error with its own handler, which logs it with Nest's logger. */
export const nest: MatrixProgram = {
  name: "nest-11",
  title: "Nest, its own handling and logger",
  packages,
  runtimes: ["20", "26"],
  files: {
    "orders.cjs": orders,
    "main.cjs": `${start}
(async () => {
  let logger = new ConsoleLogger();
  logger = whenceLogger(logger); // coded
  const app = await NestFactory.create(AppModule, { logger });
  whenceNest(app); // coded
  await app.listen(process.env.PORT);
})();
`,
  },
  start: ["main.cjs"],
  trigger: getOrder("/orders/:id"),
};

export const nestFilter: MatrixProgram = {
  name: "nest-11-filter",
  title: "Nest with a global filter",
  packages,
  files: {
    "orders.cjs": orders,
    "main.cjs": `${start}
const { Catch } = require("@nestjs/common");

class AnyError {
  catch(error, host) {
    host.switchToHttp().getResponse().status(500).json({ error: error.message });
  }
}
Catch()(AnyError);

(async () => {
  const app = await NestFactory.create(AppModule, { logger: false });
  app.useGlobalFilters(new AnyError());
  whenceNest(app); // coded
  await app.listen(process.env.PORT);
})();
`,
  },
  start: ["main.cjs"],
  trigger: getOrder("/orders/:id"),
};
