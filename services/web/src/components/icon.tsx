import type { JSX } from "react";

/** Stroked paths on a 16-unit grid. */
const shapes = {
  incident: "M8 1.8 14.6 13.6H1.4z M8 6.2v3.4 M8 11.6v.1",
  failures: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z M3.8 12.2l8.4-8.4",
  analyze: "M3 1.8h6.5L13 5.3v8.9H3z M9.2 2v3.6h3.6 M5.5 8.4h5 M5.5 11h3",
  services: "M2 2.5h12v4.4H2z M2 9.1h12v4.4H2z M4.6 4.7h.1 M4.6 11.3h.1",
  accuracy: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z M8 10.6a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2z",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10z M10.8 10.8 14 14",
  menu: "M2 4h12 M2 8h12 M2 12h12",
  close: "M3.5 3.5l9 9 M12.5 3.5l-9 9",
  check: "M2.8 8.6 6.2 12 13.2 4.4",
  chevron: "M4 6l4 4 4-4",
  copy: "M5.5 5.5h8v8h-8z M10.5 5.5v-3h-8v8h3",
  again: "M13 3v4H9 M12.6 7A5.2 5.2 0 1 0 13 9.5",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z M8 4.8V8l2.2 1.6",
  external: "M9 2.5h4.5V7 M13.2 2.8 7.5 8.5 M11.5 9.5v4h-9v-9h4",
  user: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8z M2.6 14c.5-2.8 2.7-4.2 5.4-4.2s4.9 1.4 5.4 4.2",
  back: "M9.5 3.5 5 8l4.5 4.5",
  up: "M8 13V3.5 M4 7.2 8 3.2l4 4",
  down: "M8 3v9.5 M4 8.8l4 4 4-4",
  settings: "M2 5h6.5 M12.5 5H14 M10.5 3v4 M2 11h1.5 M7.5 11H14 M5.5 9v4",
  keyboard: "M1.5 4h13v8h-13z M4 6.6h.1 M7 6.6h.1 M10 6.6h.1 M5 9.4h6",
} as const;

export type IconName = keyof typeof shapes;

/** An icon next to a text that says the same. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
