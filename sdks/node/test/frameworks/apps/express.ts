import type { ErrorRequestHandler, Express, NextFunction, Request, Response } from "express";
import createError from "http-errors";
import { whenceErrors, whenceRequests } from "../../../src/frameworks/express.ts";
import { brokenStream, captured, type Framework, placeOrder, serviceOf } from "../service.ts";

type ExpressModule = typeof import("express");

/** Returns a service in Express, in any version. */
export function expressFramework(name: string, express: ExpressModule): Framework {
  return {
    name,
    mechanism: "express",
    start(whence) {
      const told: string[] = [];
      const app = express();
      if (whence) app.use(whenceRequests());
      app.use(express.json());
      addRoutes(app, express);
      if (whence) app.use(whenceErrors());
      const answer: ErrorRequestHandler = (error, _request, response, next) => {
        told.push(String(error));
        if (response.headersSent) next(error);
        else response.status(error.status ?? 500).send(`host says ${String(error)}`);
      };
      app.use(answer);
      // Express prints errors after the headers, except in tests.
      app.set("env", "test");
      return serviceOf(app, told);
    },
  };
}

function addRoutes(app: Express, express: ExpressModule): void {
  const api = express.Router();
  api.post("/orders/:id", (request: Request<{ id: string }>, _response: Response, next: NextFunction) => {
    placeOrder(request.params.id).catch(next);
  });
  app.use("/api", api);
  app.get("/fine", (_request, response) => {
    response.send("fine");
  });
  app.get("/captured", () => {
    throw captured();
  });
  app.get("/wrong", () => {
    throw createError(418, "short and stout");
  });
  app.get("/unavailable", () => {
    throw createError(503, "closed for today");
  });
  app.get("/stream", (_request, response, next) => {
    brokenStream().on("error", next).pipe(response);
  });
  app.get("/hang", (request, _response, next) => {
    request.on("aborted", () => next(Object.assign(new Error("aborted"), { code: "ECONNRESET" })));
  });
  app.get("/text", () => {
    throw "a text";
  });
}
