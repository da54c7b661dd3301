import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type JSX, useEffect } from "react";
import { Placeholder } from "../../components/placeholder.tsx";
import { paths } from "../../config/paths.ts";
import { sessionQuery } from "../../features/session/api/get-session.ts";
import { ClaimAgent } from "../../features/session/components/claim-agent.tsx";
import { Entrance } from "../../features/session/components/entrance.tsx";
import { JoinOrganization } from "../../features/session/components/join-organization.tsx";
import { SignIn } from "../../features/session/components/sign-in.tsx";
import { localPath } from "../../lib/local-path.ts";

const route = getRouteApi(paths.login);

/** The sign-in page, which also claims an agent or accepts an invitation if asked to. */
export function LoginRoute(): JSX.Element {
  const { error, ...intent } = route.useSearch();
  const { data: session, isPending } = useQuery(sessionQuery);
  if (isPending) {
    return (
      <Entrance title="Sign in">
        <Placeholder lines={5} />
      </Entrance>
    );
  }
  if (!session) return <SignIn intent={intent} error={error} />;
  if (intent.claim !== undefined) return <ClaimAgent token={intent.claim} session={session} />;
  if (intent.invitation !== undefined) return <JoinOrganization intent={intent} session={session} />;
  return <Onward path={localPath(intent.next)} />;
}

/** Redirects a person who is already signed in. */
function Onward({ path }: { readonly path: string }): null {
  const router = useRouter();
  useEffect(() => router.history.replace(path), [router, path]);
  return null;
}
