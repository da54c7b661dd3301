import { openVendorHttp, type VendorHttp, type VendorHttpOptions } from "../http/vendor-http.ts";
import type { OutboundContext } from "../outbound-context.ts";

/** The URL of a GitLab instance, and the token that it is used with. */
export interface GitLabAccess {
  readonly url: string;
  readonly accessToken: string;
}

/** Opens GitLab's API as the person who connected it. https://docs.gitlab.com/api/rest/ */
export function openGitLabApi(
  { url, accessToken }: GitLabAccess,
  context: OutboundContext,
  explained: Pick<VendorHttpOptions, "refusals" | "answeredStatuses"> = {},
): VendorHttp {
  return openVendorHttp({
    ...context,
    vendor: "GitLab",
    baseUrl: new URL(`${url}/api/v4`),
    headers: { authorization: `Bearer ${accessToken}` },
    ...explained,
  });
}

/** Returns the path of a project's part of the API. */
export function pathOfProject(project: string): string {
  return `/projects/${encodeURIComponent(project)}`;
}
