import { z } from "zod";
import { issueConversations } from "../conversations/issue-tracker.ts";
import { enteredAddress, vendorAddress } from "../http/addresses.ts";
import { openVendorHttp } from "../http/vendor-http.ts";
import { isAskedByMember, isPublic } from "./audience.ts";
import { placeOf, postComment, readIssue } from "./issue.ts";
import { showReaction } from "./reactions.ts";
import { gitHubHeaders, gitHubRates } from "./requests.ts";

/** https://docs.github.com/en/rest/users/users#get-the-authenticated-user */
const accountSchema = z.object({ login: z.string(), id: z.int() }).transform(({ login: name, id }) => ({ name, id }));

const refusals = {
  unauthorized: { what: "rejected the token of the bot account", advice: "enter a valid one" },
  forbidden: {
    what: "doesn't let the bot account do this",
    advice: "give its token read and write access to issues, and unlock the issue",
  },
  "not-found": {
    what: "has no such issue, or doesn't show it to the bot account",
    advice: "give the account access to the repository",
  },
} as const;

/** Issues at GitHub, as a bot account. https://docs.github.com/en/rest/issues */
export const gitHubConversations = issueConversations({
  refusals,
  accountSchema,
  placeOf,
  isPublic,
  isAskedByMember,
  read: readIssue,
  post: postComment,
  react: showReaction,
  openApi({ token, base_url: entered }, context, own) {
    return openVendorHttp({
      ...context,
      vendor: "GitHub",
      ...gitHubRates,
      refusals: own,
      baseUrl:
        entered === undefined ? vendorAddress("https://api.github.com", context) : apiOf(enteredAddress(entered)),
      headers: { ...gitHubHeaders, authorization: `Bearer ${token}` },
    });
  },
});

const hosted = /^(?:www\.)?(?:[^.]+\.ghe|github)\.com$/;

/**
 * Returns the API of an instance: below a path on GitHub Enterprise Server, and on a host of its own where GitHub hosts
 * it. https://docs.github.com/en/enterprise-server/rest/using-the-rest-api/getting-started-with-the-rest-api
 */
function apiOf(instance: URL): URL {
  if (hosted.test(instance.hostname)) return new URL(`https://api.${instance.hostname.replace(/^www\./, "")}`);
  return new URL("/api/v3", instance);
}
