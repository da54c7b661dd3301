const startOfStyle = "\u001B";
const colours = new RegExp(`${startOfStyle}\\[[0-9;]*[A-Za-z]`, "g");

/** Returns a text without colors and other terminal styles. */
export function withoutColours(text: string): string {
  return text.includes(startOfStyle) ? text.replace(colours, "") : text;
}
