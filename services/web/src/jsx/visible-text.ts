/** What turns the direction of writing (Trojan Source, CVE-2021-42574) or has no shape of its own; not line breaks, tabs. */
const unseen = /[\p{Bidi_Control}\ufeff]|[^\P{Cc}\n\r\t]/gu;

/** Text from outside as it may stand on the page: characters that would hide or reverse some of it are shown as `�`. */
export function visibleText(text: string): string {
  return text.replaceAll(unseen, "�");
}
