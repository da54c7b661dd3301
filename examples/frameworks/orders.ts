import type { AddressInfo } from "node:net";

/** Looks an order up, and always fails: that is what the examples are about. */
export async function findOrder(id: string): Promise<{ id: string }> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  throw new Error(`no order ${id}`);
}

/** Says where a server listens. */
export function announce(server: { address(): AddressInfo | string | null }): void {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`http://localhost:${address.port}`);
}
