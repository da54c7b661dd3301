import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation } from "@tanstack/react-router";
import { type JSX, useEffect, useRef } from "react";
import { sessionQuery } from "../../features/session/api/get-session.ts";
import { ViewerContext } from "../../features/settings/viewer.ts";
import { settingsPages } from "../navigation.ts";
import styles from "./settings.module.css";

/** The frame of every settings page, with navigation to the others. */
export function SettingsRoute(): JSX.Element | null {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { user, organization } = session;
  if (!organization) return null;
  const viewer = {
    userId: user.id,
    organizationId: organization.id,
    organizationName: organization.name,
    isOwner: organization.role === "owner",
  };
  return (
    <div className={styles.settings}>
      <Pages />
      <div>
        <ViewerContext value={viewer}>
          <Outlet />
        </ViewerContext>
      </div>
    </div>
  );
}

function Pages(): JSX.Element {
  const { pathname } = useLocation();
  const navRef = useRef<HTMLElement>(null);
  // On a phone the navigation is a strip, wider than the screen.
  useEffect(() => {
    const current = navRef.current?.querySelector("[aria-current=page]");
    current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <nav ref={navRef} aria-label="Settings" className={styles.pages}>
      {settingsPages.map(({ label, to }) => (
        <Link key={to} to={to} activeProps={{ "aria-current": "page" }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
