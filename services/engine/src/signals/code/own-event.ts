import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A handler that publishes an event which it handles itself. */
export const ownEvent = codeKind({
  name: "own-event",
  means: "A function that handles the events of a topic publishes one of the same topic, so it handles its own event",
  args: z.object({ topic: z.string(), code: z.string() }),
  example: { topic: "stock.adjusted", code: 'bus.publish("stock.adjusted", event)' },
  link: {
    what: ({ topic, code, place }) =>
      `${placeText(place)} handles ${inlineCode(topic)} and publishes it again with ${inlineCode(code)}, so it handles its own event`,
    fix: ({ topic, place }) => ({
      title: `Don't publish ${inlineCode(topic)} while handling it at ${placeText(place)}`,
      detail: "Publish an event of another topic, or mark the event and return when the handler gets its own.",
    }),
    prevent: ({ topic }) => ({
      title: `Add a test that publishes one ${inlineCode(topic)} with all handlers registered`,
      detail: "Count how often each handler is called.",
    }),
    confirmedBy: ({ topic }) => `logging each ${inlineCode(topic)} shows events that no caller outside published`,
    ruledOutBy: ({ place }) => `${placeText(place)} isn't reached for the event that failed`,
  },
  isUntrained: true,
  decides: { weight: 0.7 },
  isOrigin: () => true,
  category: () => "infinite-loop",
});
