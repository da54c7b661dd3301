import type { JSX, ReactNode } from "react";
import styles from "./external-link.module.css";
import { Icon } from "./icon.tsx";

/** A link that something from outside brought along: it leads where it says or is text, and leaves no trace of here. */
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
