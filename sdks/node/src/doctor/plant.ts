import { currentClient, type RunningClient } from "../core/current-client.ts";
import { doctorAddress } from "../environment.ts";
import { canaryOf, fieldsOf } from "./canaries.ts";

/**
 * Preloaded into the program: waits for its client, plants the canaries, and notifies the doctor once they are sent.
 */

const pollMs = 20;
/** The program may set up its loggers after calling `init`. */
const settleMs = 300;

const address = doctorAddress();
if (address !== undefined) {
  const timer = setInterval(() => {
    const client = currentClient();
    if (!client) return;
    clearInterval(timer);
    setTimeout(() => void plantAll(client, address), settleMs);
  }, pollMs);
}

async function plantAll(client: RunningClient, doctor: string): Promise<void> {
  const incoming = {
    method: "POST",
    url: `/whence-doctor/31?token=${canaryOf("url", "query of the request")}`,
    headers: fieldsOf("header"),
    body: canaryOf("process", "body of a request"),
  };
  await new Promise<void>((resolve) => {
    client.requests.serve(
      incoming,
      () => "/whence-doctor/:id",
      () => void record(client, doctor).then(resolve, resolve),
    );
  });
  await client.delivery.flush();
  await fetch(`${doctor}/planted`, { method: "POST" });
}

async function record(client: RunningClient, doctor: string): Promise<void> {
  const query = canaryOf("url", "query of an outgoing request");
  await fetch(`${doctor}/outgoing?token=${query}`, {
    headers: { authorization: canaryOf("process", "header of an outgoing request") },
  });
  client.breadcrumbs.add({
    category: "doctor",
    message: canaryOf("text", "message of a breadcrumb"),
    data: fieldsOf("breadcrumb"),
  });
  // biome-ignore lint/suspicious/noConsole: it is what the program would do
  console.warn(canaryOf("text", "line on the console"));
  const cause = new Error(canaryOf("text", "message of a cause"));
  const error = new Error(canaryOf("text", "message of an error"), { cause });
  client.capture.exception(Object.assign(error, fieldsOf("property")), { attributes: fieldsOf("attribute") });
}
