/**
 * Characters that change the text direction (Trojan Source, CVE-2021-42574) or are invisible, except line breaks and
 * tabs.
 */
const unseen = /[\p{Bidi_Control}\ufeff]|[^\P{Cc}\n\r\t]/gu;

/** Makes outside text safe to display: characters that would hide or reverse parts of it are shown as `�`. */
export function visibleText(text: string): string {
  return text.replaceAll(unseen, "�");
}
