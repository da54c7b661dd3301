// Crashes in a timer, as a service does.
import { addBreadcrumb, init } from "#client";

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT });
setTimeout(() => {
  addBreadcrumb({ category: "order", message: "about to fail" });
  throw new RangeError("out of stock");
}, 10);
