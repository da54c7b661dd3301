const markup = /<([^<>\n]{1,4000})>/g;
/** Parts that Slack shows as they are. */
const code = /(```[\s\S]*?```|`[^`\n]*`)/;
/** Bold and struck-through text, which begins and ends at the edge of words. */
const emphasis = /(?<=^|[\s([{"'])([*~])(?=\S)([^*~\n]*[^\s*~])\1(?=$|[\s.,:;!?)\]}"'])/gm;
const entity = /&(amp|lt|gt);/g;
const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">" };

/**
 * Returns the plain text of a message's `mrkdwn`. Code keeps its marks, which tell it from words.
 * https://docs.slack.dev/messaging/formatting-message-text#retrieving-messages
 */
export function plainFromMrkdwn(text: string): string {
  const parts = text.split(code).map((part, index) => (index % 2 === 0 ? part.replaceAll(emphasis, "$2") : part));
  return unescaped(parts.join("").replaceAll(markup, (_whole, marked: string) => shown(marked)));
}

/** Unescapes the three characters that Slack escapes. */
export function unescaped(text: string): string {
  return text.replaceAll(entity, (_whole, name: string) => characters[name] ?? "");
}

/** Returns the text of a mention, a channel, a special mention, or a link, with or without a label. */
function shown(marked: string): string {
  const [target = "", label = ""] = marked.split("|", 2);
  const name = target.slice(1);
  if (target.startsWith("@")) return `@${label || name}`;
  if (target.startsWith("#")) return `#${label || name}`;
  if (target.startsWith("!")) return label || `@${name}`;
  return label === "" || target.endsWith(label) ? target.replace(/^mailto:/, "") : `${label} (${target})`;
}
