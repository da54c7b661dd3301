/** What the programs of a system use of the client, as one module. */

export { whenceListener } from "../../../sdks/node/src/frameworks/http.ts";
export { captureException, close, init } from "../../../sdks/node/src/index.ts";
