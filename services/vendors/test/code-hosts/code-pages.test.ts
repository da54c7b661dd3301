import { describe, expect, it } from "vitest";
import { codePages } from "../../src/code-hosts/code-pages.ts";
import { codeHosts } from "../../src/code-hosts.ts";

const at = { repository: "acme/shop", commit: "3f2a91c" };
const pagesOf = (kind: string, context: Parameters<(typeof codeHosts)[number]["webUrl"]>[0] = {}) =>
  codeHosts.filter((host) => host.kind === kind).map((host) => codePages(host, at, context));

describe("the pages of a repository", () => {
  it("are GitHub's own", () => {
    expect(pagesOf("github")).toEqual([
      {
        file: "https://github.com/acme/shop/blob/3f2a91c/",
        blame: "https://github.com/acme/shop/blame/3f2a91c/",
        commit: "https://github.com/acme/shop/commit/",
      },
    ]);
  });

  it("are those of the GitLab instance that is configured", () => {
    const gitlab = { clientId: "id", clientSecret: "secret", url: "https://git.example.com" };
    expect(pagesOf("gitlab", { applications: { gitlab } })).toEqual([
      {
        file: "https://git.example.com/acme/shop/-/blob/3f2a91c/",
        blame: "https://git.example.com/acme/shop/-/blame/3f2a91c/",
        commit: "https://git.example.com/acme/shop/-/commit/",
      },
    ]);
  });
});
