// Crashes inside a timer, as a service does, with the ESM build.
const sdk = process.env.WHENCE_SDK ? await import(process.env.WHENCE_SDK) : undefined;
sdk?.init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT });
setTimeout(() => {
  sdk?.addBreadcrumb({ category: "order", message: "about to fail" });
  throw new RangeError("out of stock");
}, 10);
