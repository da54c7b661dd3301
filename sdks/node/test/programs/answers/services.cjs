"use strict";
const { answerTo, routes } = require("./ask.cjs");

exports.express = (express) => {
  const app = express();
  app.use(express.json());
  app.get("/late/:id", (request, _response, next) => routes.late(request.params.id).catch(next));
  app.get("/at-once/:id", (request) => routes.atOnce(request.params.id));
  app.get("/refused/:id", (request) => routes.refused(request.params.id));
  app.use((error, request, response, next) => {
    // Express prints errors that are left to it.
    if (request.url === "/parsed") next(error);
    else response.status(answerTo(error)).end("failed");
  });
  return app;
};

exports.koa = (Koa) => {
  const app = new Koa();
  app.use(async (context, next) => {
    try {
      await next();
    } catch (error) {
      context.status = answerTo(error);
    }
  });
  app.use((_context, next) => next());
  app.use(async (context, next) => {
    const [, name, id] = context.path.split("/");
    if (name === "late") await routes.late(id);
    await next();
  });
  app.use((context) => {
    const [, name, id] = context.path.split("/");
    if (name === "at-once") routes.atOnce(id);
    if (name === "refused") routes.refused(id);
  });
  return app.callback();
};

exports.fastify = (fastify) => {
  const app = fastify();
  app.get("/late/:id", (request) => routes.late(request.params.id));
  app.get("/at-once/:id", (request) => routes.atOnce(request.params.id));
  app.get("/refused/:id", (request) => routes.refused(request.params.id));
  app.post("/parsed", () => "never");
  app.setErrorHandler((error, _request, reply) => {
    reply.code(answerTo(error)).send("failed");
  });
  const ready = app.ready();
  return (request, response) => ready.then(() => app.routing(request, response));
};

exports.hono = ({ Hono }, { getRequestListener }) => {
  const app = new Hono();
  app.use("/late/*", (_context, next) => next());
  app.get("/late/:id", (context) => routes.late(context.req.param("id")));
  app.get("/at-once/:id", (context) => routes.atOnce(context.req.param("id")));
  app.get("/refused/:id", (context) => routes.refused(context.req.param("id")));
  app.post("/parsed", (context) => context.req.json());
  app.onError((error, context) => context.text("failed", context.req.path === "/parsed" ? 400 : answerTo(error)));
  return getRequestListener(app.fetch);
};

// Decorators are called as functions, since Node doesn't support their syntax.
exports.nestjs = async ({ NestFactory }, { Catch, Controller, Get, Module, Param }, onFastify) => {
  const handlers = { late: "late/:id", atOnce: "at-once/:id", refused: "refused/:id" };
  class Orders {}
  for (const [name, path] of Object.entries(handlers)) {
    Orders.prototype[name] = (id) => routes[name](id);
    const method = Object.getOwnPropertyDescriptor(Orders.prototype, name);
    Param("id")(Orders.prototype, name, 0);
    Get(path)(Orders.prototype, name, method);
  }
  class Shop {}
  Controller()(Orders);
  Module({ controllers: [Orders] })(Shop);
  class Answer {
    catch(error, host) {
      host.switchToHttp().getResponse().status(answerTo(error)).send("failed");
    }
  }
  Catch()(Answer);
  const adapter = onFastify ? [new onFastify.FastifyAdapter()] : [];
  const app = await NestFactory.create(Shop, ...adapter, { logger: false });
  app.useGlobalFilters(new Answer());
  await app.init();
  const instance = app.getHttpAdapter().getInstance();
  if (!onFastify) return instance;
  await instance.ready();
  return (request, response) => instance.routing(request, response);
};

exports.apollo = ({ ApolloServer }, { unwrapResolverError }) => {
  const resolve =
    (route) =>
    (_parent, { id }) =>
      route(id);
  const fields = Object.keys(routes).map((name) => `${name}(id: ID): String`);
  const server = new ApolloServer({
    typeDefs: `type Query { ${fields.join(" ")} }`,
    resolvers: { Query: Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, resolve(route)])) },
    formatError(formatted, error) {
      answerTo(unwrapResolverError(error));
      return formatted;
    },
  });
  return async (request, response) => {
    const [, path, id] = request.url.split(/[/?]/);
    const field = path.replace("at-once", "atOnce");
    const query = id === undefined ? "{" : `{ ${field}(id: "${id}") }`;
    const { body } = await server.executeOperation({ query });
    response.end(JSON.stringify(body.singleResult.errors.map(({ message }) => message)));
  };
};

exports.trpc = ({ initTRPC }, { createHTTPHandler }) => {
  const { procedure, router } = initTRPC.create();
  const any = procedure.input((input) => input);
  const queries = Object.entries(routes).map(([name, route]) => [name, any.query(({ input }) => route(input))]);
  const handle = createHTTPHandler({
    router: router({ ...Object.fromEntries(queries), parsed: any.mutation(() => "never") }),
    onError: ({ error }) => void answerTo(error.cause ?? error),
  });
  return (request, response) => {
    const [, path, id] = request.url.split(/[/?]/);
    request.originalUrl = request.url;
    request.url = `/${path.replace("at-once", "atOnce")}?input=${encodeURIComponent(JSON.stringify(id))}`;
    return handle(request, response);
  };
};
