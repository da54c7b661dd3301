import { useSuspenseQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { sessionQuery } from "../../features/session/api/get-session.ts";
import { AccountData } from "../../features/session/components/account-data.tsx";
import { Organizations } from "../../features/session/components/organizations.tsx";
import { Sessions } from "../../features/session/components/sessions.tsx";
import { TwoFactor } from "../../features/session/components/two-factor.tsx";
import { VerifiedAddress } from "../../features/session/components/verified-address.tsx";
import { SettingsPage } from "../../features/settings/components/settings-page.tsx";

/** The person's own settings, independent of the organization. */
export function AccountRoute(): JSX.Element {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <SettingsPage title="Your account" lead={`You are ${session.user.name}, signed in as ${session.user.email}.`}>
      <VerifiedAddress user={session.user} />
      <Organizations session={session} />
      <TwoFactor isOn={session.user.two_factor} />
      <Sessions />
      <AccountData email={session.user.email} />
    </SettingsPage>
  );
}
