/** Limits of Block Kit, in characters and blocks. https://docs.slack.dev/reference/block-kit/blocks */
export const blockKitLimits = {
  headerLengthMax: 150,
  /** Any other text. */
  textLengthMax: 3_000,
  blocksMax: 50,
} as const;

const linkTextLengthMax = 900;
const addressLengthMax = 1_000;

interface PlainText {
  readonly type: "plain_text";
  readonly text: string;
}

interface Mrkdwn {
  readonly type: "mrkdwn";
  readonly text: string;
  /** Keeps Slack from turning plain text into links and mentions. */
  readonly verbatim: true;
}

export type Block =
  | { readonly type: "header"; readonly block_id?: string; readonly text: PlainText }
  | { readonly type: "section"; readonly text: Mrkdwn }
  | { readonly type: "context"; readonly elements: readonly Mrkdwn[] }
  | { readonly type: "actions"; readonly elements: readonly Button[] }
  | {
      readonly type: "rich_text";
      readonly elements: readonly [
        {
          readonly type: "rich_text_preformatted";
          readonly elements: readonly [{ readonly type: "text"; readonly text: string }];
        },
      ];
    };

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
interface Button {
  readonly type: "button";
  readonly action_id: string;
  readonly text: PlainText;
  readonly value: string;
}

/** Returns a row of buttons, by the ids of their actions. Slack sends `value` with each press. */
export function actions(texts: readonly (readonly [string, string])[], value: string): Block {
  const elements = texts.map(
    ([action_id, text]): Button => ({ type: "button", action_id, text: { type: "plain_text", text }, value }),
  );
  return { type: "actions", elements };
}

/** Returns a heading on one line, truncated at 150 characters. */
export function header(text: string): Block & { readonly type: "header" } {
  return { type: "header", text: { type: "plain_text", text: escaped(text, blockKitLimits.headerLengthMax) } };
}

/** Returns marked-up text of at most 3,000 characters; escape text from outside. */
export function section(text: string): Block {
  return { type: "section", text: mrkdwn(text) };
}

/** Returns marked-up text on a small line. */
export function context(text: string): Block {
  return { type: "context", elements: [mrkdwn(text)] };
}

/** Returns preformatted text, in which Slack reads no markup, truncated at 3,000 characters. */
export function preformatted(text: string): Block {
  const shown = bounded([...text], blockKitLimits.textLengthMax);
  return {
    type: "rich_text",
    elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text: shown }] }],
  };
}

/** Returns a link with an escaped text, or only the text when the URL would leave no room for it. */
export function linked(url: string, text: string): string {
  const address = url.replaceAll(/[<>|]/g, encodeURIComponent);
  const label = escaped(text, linkTextLengthMax);
  return address.length > addressLengthMax ? label : `<${address}|${label || address}>`;
}

/**
 * Escapes what Slack would read as a mention or link (https://docs.slack.dev/messaging/formatting-message-text), within
 * a length that counts the escaped text.
 */
export function escaped(text: string, lengthMax: number = blockKitLimits.textLengthMax): string {
  return bounded(
    [...text].map((character) => entities[character] ?? character),
    lengthMax,
  );
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function bounded(characters: readonly string[], lengthMax: number): string {
  const whole = characters.join("");
  if (whole.length <= lengthMax) return whole;
  let kept = "";
  for (const character of characters) {
    if (kept.length + character.length + 1 > lengthMax) break;
    kept += character;
  }
  return `${kept}…`;
}

function mrkdwn(text: string): Mrkdwn {
  return { type: "mrkdwn", text, verbatim: true };
}
