import { credentialHeaders, init } from "@whence/node";
import { whenceErrors, whenceRequests } from "@whence/node/express";
import express from "express";
import { announce, findOrder } from "./orders.ts";

init({
  apiKey: process.env.WHENCE_API_KEY,
  service: "express",
  endpoint: process.env.WHENCE_ENDPOINT,
  redact: credentialHeaders,
});

const app = express();
app.use(whenceRequests()); // before the routes
app.get("/orders/:id", async (request, response) => {
  response.json(await findOrder(request.params.id));
});
app.use(whenceErrors()); // after them, before your own error handler
const server = app.listen(0, () => announce(server));
