import { once } from "node:events";
import { createServer } from "node:net";
import { DemoError } from "./demo-error.ts";

/** A port of the loopback interface on which nothing listens now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new DemoError("the loopback interface has no free port");
  return address.port;
}
