import { whenceRequests } from "@whence/node/nextjs";

export async function register(): Promise<void> {
  // The file is also bundled for the edge runtime, which has no process to watch.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { credentialHeaders, init } = await import("@whence/node");
  init({
    apiKey: process.env.WHENCE_API_KEY,
    service: "nextjs",
    endpoint: process.env.WHENCE_ENDPOINT,
    redact: credentialHeaders,
  });
  whenceRequests();
}

export { whenceRequestError as onRequestError } from "@whence/node/nextjs";
