import { visibleText } from "./visible-text.ts";

const shownProps = ["children", "title", "aria-label"] as const;

/** Returns the props of an element, with each displayed or announced text passed through {@link visibleText}. */
export function visibleProps(props: object): object {
  const shown = shownProps.filter((name) => name in props);
  if (shown.length === 0) return props;
  const values: Readonly<Record<string, unknown>> = { ...props };
  return { ...values, ...Object.fromEntries(shown.map((name) => [name, visible(values[name])])) };
}

function visible(value: unknown): unknown {
  if (typeof value === "string") return visibleText(value);
  return Array.isArray(value) ? value.map(visible) : value;
}
