// Fails as its argument says, in any runtime.
const http = require("node:http");
const sdk = require(process.env.WHENCE_SDK);
sdk.init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });

const programs = {
  async flush() {
    sdk.captureException(new Error("captured"));
    console.error(new Error("logged"));
    console.log(`flush: ${await sdk.flush(5_000)}`);
  },
  crash() {
    setTimeout(() => {
      throw new Error("thrown");
    }, 10);
  },
  reject() {
    setTimeout(() => void Promise.reject(new Error("rejected")), 10);
  },
  exit() {
    sdk.captureException(new Error("before the exit"));
    process.exit(3);
  },
  serve() {
    const server = http.createServer((_request, response) => {
      sdk.captureException(new Error("while serving"));
      response.end();
    });
    server.listen(0, async () => {
      await fetch(`http://127.0.0.1:${server.address().port}/orders`);
      process.exit(0);
    });
  },
};
programs[process.argv[2]]();
