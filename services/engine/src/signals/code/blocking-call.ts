import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A call that keeps the main thread until it has its result, on the line where the thread was blocked. */
export const blockingCall = codeKind({
  name: "blocking-call",
  means: "The main thread was blocked by a call that returns only with its result",
  args: z.object({ call: z.string(), how: z.enum(["synchronous", "conversion"]) }),
  example: { call: "pbkdf2Sync", how: "synchronous" },
  link: {
    what: ({ call, how, place }) =>
      how === "synchronous"
        ? `${placeText(place)} calls ${inlineCode(call)} on the main thread, which waits for the result`
        : `${placeText(place)} converts a whole value by ${inlineCode(call)} on the main thread`,
    fix: ({ call, how, place }) => ({
      title:
        how === "synchronous"
          ? `Call the asynchronous form of ${inlineCode(call)} at ${placeText(place)}`
          : `Limit what ${inlineCode(call)} converts at ${placeText(place)}`,
      detail:
        how === "synchronous"
          ? "Await its result, so that other requests are answered meanwhile."
          : "Refuse a larger value, convert it in parts, or convert it in a worker thread.",
    }),
    prevent: ({ how }) => ({
      title: "Keep synchronous work out of requests",
      detail:
        how === "synchronous"
          ? "A linter finds such calls, such as `eslint-plugin-n` with `no-sync`."
          : "Measure the event loop's delay, and alert on it.",
    }),
    confirmedBy: ({ call }) => `a profile of the process shows ${inlineCode(call)}`,
    ruledOutBy: ({ call }) => `${inlineCode(call)} returns quickly with the input of the blocked request`,
  },
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
});
