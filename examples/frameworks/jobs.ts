import { addBreadcrumb, credentialHeaders, flush, init } from "@whence/node";
import { whenceJob } from "@whence/node/jobs";
import { findOrder } from "./orders.ts";

init({
  apiKey: process.env.WHENCE_API_KEY,
  service: "jobs",
  endpoint: process.env.WHENCE_ENDPOINT,
  redact: credentialHeaders,
});

/** The function that a queue would call for each of its jobs. */
const ship = whenceJob("ship-order", async (id: string) => {
  addBreadcrumb({ category: "order", message: id });
  await findOrder(id);
});

const outcomes = await Promise.allSettled(["31", "32"].map(ship));
console.log(outcomes.map(({ status }) => status).join(" "));
await flush();
