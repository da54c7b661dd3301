import type { JSX, ReactNode } from "react";
import styles from "./external-link.module.css";
import { Icon } from "./icon.tsx";

/** A link from outside data: it shows where it leads or is plain text, and sends no referrer. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children: ReactNode }): JSX.Element {
  const url = URL.parse(href);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return <span>{children}</span>;
  return (
    <a href={url.href} title={url.href} target="_blank" rel="noopener noreferrer nofollow" className={styles.link}>
      {children}
      <Icon name="external" size={12} />
    </a>
  );
}
