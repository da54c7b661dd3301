const fence = /^\s*(?:```|~~~)/;
/** A character that Linear escapes with a backslash when it prints text as Markdown. */
const escaped = /\\([!-/:-@[-`{-~])/g;
const link = /\[([^[\]\n]{1,500})\]\(<?([^<>()\s]{1,2000})>?\)/g;

/** Returns Linear's Markdown without escapes, and with links as text. Code stays as it is. */
export function plainFromLinear(markdown: string): string {
  let isCode = false;
  const lines = markdown.split("\n").map((line) => {
    if (fence.test(line)) {
      isCode = !isCode;
      return line;
    }
    return isCode ? line : line.replaceAll(escaped, "$1").replaceAll(link, linkAsText);
  });
  return lines.join("\n");
}

/** Linear turns anything that looks like an address into a link, such as `app.py`. */
function linkAsText(_whole: string, text: string, address: string): string {
  const isOwn = [address, address.replace(/^https?:\/\//, "")].some(
    (own) => own.replace(/\/$/, "") === text.replace(/\/$/, ""),
  );
  return isOwn ? text : `${text} (${address})`;
}
