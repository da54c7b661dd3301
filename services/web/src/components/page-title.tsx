import { type JSX, type ReactNode, useEffect } from "react";

/** The heading of a page, which also sets the window's title and takes the focus when the page opens. */
export function PageTitle({ title, children }: { readonly title: string; readonly children?: ReactNode }): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Whence`;
  }, [title]);
  return (
    <h1 tabIndex={-1} data-page-title>
      {children ?? title}
    </h1>
  );
}
