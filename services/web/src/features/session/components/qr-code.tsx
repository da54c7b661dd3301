import type { JSX } from "react";
import { encode } from "uqr";
import styles from "./two-factor.module.css";

/** A QR code, dark on light in every scheme, as cameras expect. */
export function QrCode({ label, value }: { readonly label: string; readonly value: string }): JSX.Element {
  const { data, size } = encode(value, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className={styles.qr}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join("")} fill="#000" />
    </svg>
  );
}
