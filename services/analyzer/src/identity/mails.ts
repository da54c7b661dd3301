import type { Mail } from "../mail/mailer.ts";

/** How to choose another password; the link is good for an hour, once. */
export function passwordResetMail(appUrl: string, to: string, token: string): Mail {
  return {
    to,
    subject: "Choose a new password for Whence",
    text: `Somebody, you we hope, asked for a new password for your account at ${appUrl}.

Choose it here within an hour:
${appUrl}/reset-password?token=${encodeURIComponent(token)}

If it was not you, nothing has changed, and there is nothing to do.
`,
  };
}

/** How to join an organization. */
export function invitationMail(appUrl: string, to: string, organization: string, invitationId: string): Mail {
  return {
    to,
    subject: `You are invited to ${organization} on Whence`,
    text: `You are invited to the organization ${organization} at ${appUrl}.

Join it here:
${appUrl}/sign-up?invitation=${encodeURIComponent(invitationId)}
`,
  };
}
