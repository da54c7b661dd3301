/** Markup that may stand in a page as it is. Only {@link html} and {@link trusted} make it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = Markup | string | number | null | undefined | readonly Content[];

/** A template whose values are escaped unless they are markup themselves; null and undefined are nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const parts = strings.map((text, index) => text + (index < values.length ? render(values[index]) : ""));
  return new Markup(parts.join(""));
}

/** Markup that something else has made safe. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

/** Text as it may stand in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function render(value: Content): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return value.map(render).join("");
}
