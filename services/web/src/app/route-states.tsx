import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import type { JSX } from "react";
import { Button } from "../components/button.tsx";
import { isMissingPart } from "../components/lazy-part.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { Placeholder } from "../components/placeholder.tsx";
import { Problem } from "../components/problem.tsx";
import { paths } from "../config/paths.ts";
import styles from "./route-states.module.css";

/** The page shown when a page couldn't be displayed. */
export function RouteProblem({ error, reset }: ErrorComponentProps): JSX.Element {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <div className={styles.state}>
      <PageTitle title="This page couldn't be shown" />
      {isMissingPart(error) ? <MissingPage /> : <Problem error={error} retry={retry} />}
    </div>
  );
}

/** Shown when the files of a page are gone: it is still missing after the router has reloaded once. */
function MissingPage(): JSX.Element {
  return (
    <>
      <p>Whence was updated, or the connection failed. Reload the page to see it.</p>
      <div>
        <Button icon="again" onClick={() => location.reload()}>
          Reload page
        </Button>
      </div>
    </>
  );
}

/** Shown for an unknown address, instead of all that pages have around them. */
export function NotFound(): JSX.Element {
  return (
    <main className={styles.state}>
      <PageTitle title="Page not found" />
      <p>
        Check the address; it may be mistyped or from another version.{" "}
        <Link to={paths.incidents}>Back to incidents</Link>
      </p>
    </main>
  );
}

/** Shown when a page takes noticeably long to load. */
export function RouteWaiting(): JSX.Element {
  return (
    <div className={styles.state}>
      <Placeholder lines={6} />
    </div>
  );
}
