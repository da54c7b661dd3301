import { z } from "zod";
import type { SenderInputs } from "../alert-senders/sender-inputs.ts";
import type { ConversationClient, ConversationVendor } from "../conversations/conversation-vendor.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { LinearApi } from "./api.ts";
import { isAskedByMember, isPublic } from "./audience.ts";
import { readIssue } from "./issue.ts";
import { linearPlaceSchema } from "./place.ts";
import { linkSession, postActivity } from "./session.ts";
import { showStatus } from "./status.ts";
import { LinearTokens } from "./tokens.ts";

const inputsSchema = z.object({ client_id: z.string(), client_secret: z.string() });

const botQuery = "query Bot { viewer { id name displayName } organization { id name } }";
const botSchema = z.object({
  viewer: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  organization: z.object({ id: z.string(), name: z.string() }),
});

/**
 * Linear's agent sessions: issues that are delegated to the bot, and comments that mention it.
 * https://linear.app/developers/agent-interaction
 */
export function linearConversations(): ConversationVendor {
  const tokens = new LinearTokens();
  return {
    open: (inputs, context) => clientOf(openApi(inputs, tokens, context)),
    async verify(inputs, context) {
      const api = openApi(inputs, tokens, context);
      try {
        const signal = AbortSignal.timeout(vendorLimits.verifiedWithinMs);
        const { viewer, organization } = await api.ask({ query: botQuery, schema: botSchema }, signal);
        return {
          bot_id: viewer.id,
          bot_name: viewer.name,
          bot_handle: viewer.displayName,
          organization_id: organization.id,
          organization: organization.name,
        };
      } finally {
        await api.close();
      }
    },
  };
}

function openApi(inputs: SenderInputs, tokens: LinearTokens, context: OutboundContext): LinearApi {
  const { data } = inputsSchema.safeParse(inputs);
  if (!data)
    throw new VendorFailure("invalid-input", "the client ID or the client secret of the application is missing");
  return new LinearApi({ clientId: data.client_id, clientSecret: data.client_secret }, tokens, context);
}

function clientOf(api: LinearApi): ConversationClient {
  return {
    isPublic: (place, signal) => isPublic(api, linearPlaceSchema.parse(place), signal),
    isAskedByMember: (place, signal) => isAskedByMember(api, linearPlaceSchema.parse(place), signal),
    async acknowledge({ place }, message, options) {
      const { session } = linearPlaceSchema.parse(place);
      await postActivity(api, session, message, options);
      await linkSession(api, session, message, options.signal);
      // The next activity replaces it.
      return null;
    },
    read: (place, signal) => readIssue(api, linearPlaceSchema.parse(place).issue, signal),
    async post(place, message, options) {
      const { session } = linearPlaceSchema.parse(place);
      // An answer completes the session.
      await linkSession(api, session, message, options.signal);
      return postActivity(api, session, message, options);
    },
    // An agent that was stopped emits a final activity. https://linear.app/developers/agent-signals
    async confirmStop(place, message, options) {
      await postActivity(api, linearPlaceSchema.parse(place).session, message, { ...options, replaces: null });
    },
    show: (place, status, signal) => showStatus(api, linearPlaceSchema.parse(place), status, signal),
    close: () => api.close(),
  };
}
