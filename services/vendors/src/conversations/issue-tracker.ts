import { z } from "zod";
import type { Place } from "../alert-senders/announcement.ts";
import type { SenderInputs } from "../alert-senders/sender-inputs.ts";
import type { VendorHttp, VendorHttpOptions } from "../http/vendor-http.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";
import type { ConversationStatus, ConversationVendor, Discussion, PostOptions } from "./conversation-vendor.ts";
import type { MessageDocument } from "./message-document.ts";

type Refusals = NonNullable<VendorHttpOptions["refusals"]>;

/** A tracker's API, as the account that answers. */
export interface TrackerAsBot {
  readonly http: VendorHttp;
  readonly botId: string;
}

/** What differs between the trackers of code hosts. */
export interface IssueTracker<IssuePlace> {
  /** The meaning of its refusals, and what to do about them. */
  readonly refusals: Refusals & Required<Pick<Refusals, "unauthorized">>;
  /** The owner of the token, as `GET /user` returns it. */
  readonly accountSchema: z.ZodType<{ readonly name: string; readonly id: number }>;
  openApi(entered: EnteredTracker, context: OutboundContext, refusals: Refusals): VendorHttp;
  placeOf(place: Place): IssuePlace;
  isPublic(api: TrackerAsBot, place: IssuePlace, signal: AbortSignal): Promise<boolean>;
  isAskedByMember(api: TrackerAsBot, place: IssuePlace, signal: AbortSignal): Promise<boolean>;
  read(api: TrackerAsBot, place: IssuePlace, signal: AbortSignal): Promise<Discussion>;
  post(api: TrackerAsBot, place: IssuePlace, message: MessageDocument, options: PostOptions): Promise<string>;
  react(api: TrackerAsBot, place: IssuePlace, status: ConversationStatus | null, signal: AbortSignal): Promise<void>;
}

const enteredSchema = z.object({ token: z.string(), base_url: z.string().optional() });
/** A token, and the organization's own instance if it has one. */
export type EnteredTracker = z.infer<typeof enteredSchema>;
const botSchema = z.object({ bot_id: z.string() });

/** The issues of a code host as conversations, answered by the account whose token was entered. */
export function issueConversations<IssuePlace>(tracker: IssueTracker<IssuePlace>): ConversationVendor {
  const open = (inputs: SenderInputs, context: OutboundContext, refusals: Refusals): VendorHttp =>
    tracker.openApi(enteredSchema.parse(inputs), context, refusals);
  return {
    open(inputs, context) {
      const http = open(inputs, context, tracker.refusals);
      const api = { http, botId: botSchema.parse(inputs).bot_id };
      return {
        isPublic: (place, signal) => tracker.isPublic(api, tracker.placeOf(place), signal),
        isAskedByMember: (place, signal) => tracker.isAskedByMember(api, tracker.placeOf(place), signal),
        // The reaction that shows the state already says it.
        acknowledge: async () => null,
        read: (place, signal) => tracker.read(api, tracker.placeOf(place), signal),
        post: (place, message, options) => tracker.post(api, tracker.placeOf(place), message, options),
        // The reaction is removed instead.
        confirmStop: async () => undefined,
        show: (place, status, signal) => tracker.react(api, tracker.placeOf(place), status, signal),
        close: () => http.close(),
      };
    },
    async verify(inputs, context) {
      const http = open(inputs, context, { unauthorized: tracker.refusals.unauthorized });
      try {
        const signal = AbortSignal.timeout(vendorLimits.verifiedWithinMs);
        const { body } = await http.json({ path: "/user", schema: tracker.accountSchema }, signal);
        return { bot: body.name, bot_id: String(body.id) };
      } finally {
        await http.close();
      }
    },
  };
}
