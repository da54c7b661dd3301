import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeCertificates } from "../servers/cluster-certificates.ts";

/** The names at which the service asks GitHub. */
export const githubNames = ["github.com", "api.github.com"] as const;

/** GitHub's own names over TLS, in front of an emulated API. */
export interface GitHubFront extends AsyncDisposable {
  readonly port: number;
  /** The certificate of its authority, in PEM. */
  readonly authority: string;
}

/**
 * Starts the front: authorizing answers with a person's token and the installation, and the rest is what the API at
 * the address answers.
 */
export async function startGitHubFront(
  apiUrl: string,
  { installationId, account }: { readonly installationId: number; readonly account: string },
): Promise<GitHubFront> {
  const { authority, server: own } = await makeCertificates(githubNames);
  const server = createServer(own, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "GET", url = "/", headers } = request;
    const json = (status: number, body: object): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (headers.host?.startsWith("github.com"))
      return json(200, { access_token: "gh-person", token_type: "bearer", scope: "" });
    if (url.startsWith("/applications/")) return void response.writeHead(204).end();
    if (url.startsWith("/user/installations"))
      return json(200, { installations: [{ id: installationId, account: { login: account } }] });
    // What emulate doesn't know.
    if (url.startsWith("/installation/repositories")) return json(200, { total_count: 1, repositories: [] });
    const { authorization = "", accept = "", "content-type": type = "application/json" } = headers;
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const answer = await fetch(`${apiUrl}${url}`, {
      ...{ method, headers: { authorization, accept, "content-type": type } },
      ...body,
    });
    const answered = answer.headers.get("content-type") ?? "application/json";
    response.writeHead(answer.status, { "content-type": answered }).end(Buffer.from(await answer.arrayBuffer()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, authority },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
