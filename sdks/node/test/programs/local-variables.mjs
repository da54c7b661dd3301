// An ES module that fails while it is loaded, in a function and in the module itself.
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
require(join(process.env.WHENCE_SDK, "index.cjs")).init({
  ...{ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT, localVariables: true },
});

const orders = [{ id: 5 }];

function price(order) {
  const factor = 2;
  return order.price.amount * factor;
}

price(orders[0]);
