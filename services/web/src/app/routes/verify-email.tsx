import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Loaded } from "../../components/loaded.tsx";
import { paths } from "../../config/paths.ts";
import { verificationQuery } from "../../features/session/api/verification.ts";
import { Entrance } from "../../features/session/components/entrance.tsx";

const route = getRouteApi(paths.verifyEmail);

/** Opened from the link in a mail: verifies the address of the signed-in person. */
export function VerifyEmailRoute(): JSX.Element {
  const { token } = route.useSearch();
  const verification = useQuery(verificationQuery(token));
  return (
    <Entrance title="Verify your email address">
      <Loaded query={verification} lines={1}>
        {() => <p>Your email address is verified.</p>}
      </Loaded>
      <Link to={paths.settingsAccount}>Back to your account</Link>
    </Entrance>
  );
}
