/** Returns the beginning of a text in at most `bytesMax` UTF-8 bytes, cut between characters and marked as cut. */
export function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= bytesMax) return text;
  const cut = new TextDecoder("utf-8").decode(bytes.subarray(0, bytesMax), { stream: true });
  return `${cut}\n(cut)`;
}
