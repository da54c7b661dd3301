import { useQuery } from "@tanstack/react-query";
import type { Incident } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { changeOwner } from "../api/change-incident.ts";
import { teammatesQuery } from "../api/get-members.ts";
import type { IncidentViewer } from "../incident-viewer.ts";
import { useChange } from "../use-change.ts";
import styles from "./elsewhere.module.css";
import type { OnCallPerson } from "./outside-pages.ts";

interface OnCallProps {
  readonly person: OnCallPerson;
  readonly incident: Incident;
  readonly viewer: IncidentViewer;
}

/** Someone on call. A member who isn't the owner yet is offered as owner. */
export function OnCall({ person: { who, vendor, memberId }, incident, viewer }: OnCallProps): JSX.Element {
  const { organizationId } = viewer;
  const { data: members = [] } = useQuery({
    ...teammatesQuery(organizationId ?? ""),
    enabled: organizationId !== null && memberId !== null,
  });
  const member = members.find(({ id }) => id === memberId);
  const isOffered = member !== undefined && incident.owner?.id !== member.id && incident.merged_into === undefined;
  return (
    <span className={styles.person}>
      <span>
        {who}, {vendor}
      </span>
      {isOffered ? <Offer incidentId={incident.id} member={member} isSelf={member.id === viewer.userId} /> : null}
    </span>
  );
}

interface OfferProps {
  readonly incidentId: string;
  readonly member: { readonly id: string; readonly name: string };
  readonly isSelf: boolean;
}

function Offer({ incidentId, member: { id, name }, isSelf }: OfferProps): JSX.Element {
  const said = isSelf ? "You own this incident" : `${name} owns this incident`;
  const { mutate, isPending } = useChange(incidentId, { send: changeOwner, said: () => said });
  return isSelf ? (
    <Button busy={isPending} onClick={() => mutate({ action: "take" })}>
      Take it, as you are on call
    </Button>
  ) : (
    <Button busy={isPending} onClick={() => mutate({ action: "hand-over", to: id })}>
      Hand over to {name}
    </Button>
  );
}
