import { credentialHeaders, init } from "@whence/node";
import { whenceLambda } from "@whence/node/lambda";
import { findOrder } from "./orders.ts";

init({
  apiKey: process.env.WHENCE_API_KEY,
  service: "lambda",
  endpoint: process.env.WHENCE_ENDPOINT,
  redact: credentialHeaders,
});

/** A failing invocation ends once its error has arrived. */
export const handler = whenceLambda(async (event: { pathParameters: { id: string } }) => ({
  statusCode: 200,
  body: JSON.stringify(await findOrder(event.pathParameters.id)),
}));
