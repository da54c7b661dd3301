import { once } from "node:events";
import { createServer, type Server } from "node:http";

const rowPx = 56;

/** Serves one page at every address. */
export async function servePage(html: string): Promise<{ readonly url: string; close(): void }> {
  const server: Server = createServer((_request, answer) => {
    answer.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** An empty page as tall as a long list: the best that the browser can do. */
export const emptyPage = `<!doctype html><title>Empty</title><body style="margin:0"><div data-row style="height:${10_000 * rowPx}px"></div>`;

/** Returns a page of static rows: a link, two lines of text, a time; no script. */
export function plainRows(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, index) =>
      `<li data-row><a href="#${index}"><b>TypeError: Cannot read properties of undefined (${index})</b><br><small>the cart had no items</small></a> checkout PROD ${index} min ago</li>`,
  );
  const style = `body{margin:0;font:14px sans-serif}ul{margin:0;padding:0}li{height:${rowPx}px;border-bottom:1px solid #ddd}`;
  return `<!doctype html><title>Rows</title><style>${style}</style><ul>${rows.join("")}</ul>`;
}
