import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below 32768, where Linux assigns ports to programs that ask for any, so that no other program gets one of these by
 * chance; and above 10080, the last of the ports that `fetch` refuses.
 */
const ports = { from: 10_081, to: 32_768 };

/** Returns a port of the loopback interface on which nothing listens now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = ports.from + Math.floor(Math.random() * (ports.to - ports.from));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch {
    return false;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
