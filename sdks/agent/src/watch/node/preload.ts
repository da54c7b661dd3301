import { url } from "node:inspector";
import { ordersVariable, readOrders } from "./orders.ts";
import { ProgramWatch } from "./program-watch.ts";

/** Loaded before the program, in each of its processes and threads: watches it if there are orders. */
function watch(): void {
  // biome-ignore lint/style/noProcessEnv: this is the file of the program that reads the environment
  const { [ordersVariable]: path, NODE_V8_COVERAGE: ownCoverage } = process.env;
  const orders = readOrders(path);
  // A debugger that is attached, or may be, has the program to itself.
  if (orders === null || url() !== undefined) return;
  try {
    // Coverage that the program measures would be reset.
    new ProgramWatch(orders).start(ownCoverage === undefined);
  } catch {
    // This process can't use the inspector: it runs unwatched.
  }
}

watch();
