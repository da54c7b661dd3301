import { createHash } from "node:crypto";
import { html, type Markup, trusted } from "./html.ts";

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 65%, transparent); --accent: light-dark(#0b5fad, #79b8ff); }
* { box-sizing: border-box; }
body { overflow-wrap: anywhere; margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.55 system-ui, sans-serif; background: light-dark(#fff, #14171a); color: light-dark(#1b1f23, #e6e8ea); }
header { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
header a { font-weight: 700; text-decoration: none; color: inherit; }
a { color: var(--accent); }
h1 { font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; font-size: .85rem; line-height: 1.45; }
code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; } pre code { overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
.summary { font-size: 1.1rem; border-left: 4px solid var(--accent); padding-left: 1rem; }
.soft { color: var(--soft); } .label { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; margin-right: .3rem; }
form.card { max-width: 24rem; margin: 3rem auto; display: grid; gap: .8rem; } form.card label { display: grid; gap: .2rem; }
input { font: inherit; padding: .5rem; border: 1px solid var(--soft); border-radius: .3rem; background: transparent; color: inherit; }
button { font: inherit; padding: .5rem 1rem; border-radius: .3rem; border: 1px solid var(--accent); background: var(--accent); color: light-dark(#fff, #14171a); cursor: pointer; }
header button { background: none; color: inherit; border-color: var(--line); padding: .1rem .6rem; }
.notice { border: 1px solid var(--line); border-left: 4px solid light-dark(#b35900, #ffb454); padding: .5rem .8rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
li, dd { overflow-wrap: anywhere; } :target { outline: 2px solid var(--accent); outline-offset: .3rem; }
`;

const styleHash = createHash("sha256").update(style).digest("base64");

/** No script, no other origin, no frame around it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // Not "no-referrer": with it browsers send `Origin: null`, and the forms' own posts would look like another site's.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

export interface PageOptions {
  readonly title: string;
  readonly body: Markup;
  /** Who is signed in. */
  readonly viewer?: { readonly name: string; readonly organizationName: string } | undefined;
  /** Loads the page again after so many seconds. */
  readonly refreshSeconds?: number | undefined;
}

/** A whole page. */
export function page({ title, body, viewer, refreshSeconds }: PageOptions): string {
  const signOut = html`<form method="post" action="/logout"><span class="soft">${viewer?.name} · ${viewer?.organizationName}</span> <button>Sign out</button></form>`;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${refreshSeconds === undefined ? null : html`<meta http-equiv="refresh" content="${refreshSeconds}">`}
<title>${title} · Whence</title><style>${trusted(style)}</style></head>
<body><header><a href="/">Whence</a>${viewer ? signOut : null}</header><main>${body}</main></body>
</html>
`.text;
}
