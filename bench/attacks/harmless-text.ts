const sentences =
  "The parcel left the shop in Oslo at noon and came to the post in the afternoon. Ada packed it with paper, since the lamp is made of glass. The customer asked for a copy of the invoice by mail. Her neighbor has the key to the yard, so the parcel may be left there. ";

/** Harmless prose in lines of the same lengths as those of a text, in UTF-16 code units. */
export function harmlessTwin(text: string): string {
  const prose = sentences.repeat(Math.ceil(text.length / sentences.length));
  return text.replace(/[^\n]+/g, ({ length }, at: number) => prose.slice(at, at + length));
}
