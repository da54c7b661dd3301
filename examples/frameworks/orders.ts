import type { AddressInfo } from "node:net";

/** Looks up an order, and always fails for the sake of the examples. */
export async function findOrder(id: string): Promise<{ id: string }> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  throw new Error(`no order ${id}`);
}

/** Prints the address of a listening server. */
export function announce(server: { address(): AddressInfo | string | null }): void {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`http://localhost:${address.port}`);
}
