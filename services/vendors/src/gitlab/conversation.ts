import { z } from "zod";
import { issueConversations } from "../conversations/issue-tracker.ts";
import { enteredAddress, vendorAddress } from "../http/addresses.ts";
import { openVendorHttp } from "../http/vendor-http.ts";
import { isAskedByMember, isPublic } from "./audience.ts";
import { placeOf, postNote, readIssue } from "./issue.ts";
import { showReaction } from "./reactions.ts";

/** https://docs.gitlab.com/api/users/#retrieve-the-current-user */
const accountSchema = z
  .object({ username: z.string(), id: z.int() })
  .transform(({ username: name, id }) => ({ name, id }));

const refusals = {
  unauthorized: { what: "rejected the access token of the bot", advice: "enter a valid one" },
  forbidden: {
    what: "doesn't let the bot do this",
    advice: "give its token the scope api and the role Reporter, and unlock the discussion",
  },
  "not-found": {
    what: "has no such issue, or doesn't show it to the bot",
    advice: "give the bot access to the project",
  },
} as const;

/** Issues at GitLab, as the bot of an access token. https://docs.gitlab.com/api/issues/ */
export const gitLabConversations = issueConversations({
  refusals,
  accountSchema,
  placeOf,
  isPublic,
  isAskedByMember,
  read: readIssue,
  post: postNote,
  react: showReaction,
  openApi({ token, base_url: entered }, context, own) {
    const instance = entered === undefined ? vendorAddress("https://gitlab.com", context) : enteredAddress(entered);
    return openVendorHttp({
      ...context,
      vendor: "GitLab",
      refusals: own,
      baseUrl: new URL(`${instance.href.replace(/\/+$/, "")}/api/v4`),
      headers: { authorization: `Bearer ${token}` },
    });
  },
});
