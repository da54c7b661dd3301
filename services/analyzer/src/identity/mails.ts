import type { Mail } from "@whence/vendors";

/** The mail with a password reset link, which works once, for an hour. */
export function passwordResetMail(appUrl: string, to: string, token: string): Mail {
  return {
    to,
    subject: "Reset your Whence password",
    text: `Someone requested a new password for your account at ${appUrl}.

If it was you, choose one within an hour:
${appUrl}/reset-password?token=${encodeURIComponent(token)}

If it wasn't you, ignore this mail. Your password hasn't changed.
`,
  };
}

/** The mail with a link that shows that an address is its account's, within a day. */
export function verificationMail(appUrl: string, to: string, token: string): Mail {
  return {
    to,
    subject: "Verify your email address for Whence",
    text: `Someone signed up at ${appUrl} with this address.

If it was you, open this link within a day, in a browser that you are signed in with:
${appUrl}/verify-email?token=${encodeURIComponent(token)}

If it wasn't you, ignore this mail.
`,
  };
}

/** The mail that invites someone to an organization. */
export function invitationMail(appUrl: string, to: string, organization: string, invitationId: string): Mail {
  return {
    to,
    subject: `Join ${organization} on Whence`,
    text: `You've been invited to join ${organization} at ${appUrl}.

Accept the invitation:
${appUrl}/sign-up?invitation=${encodeURIComponent(invitationId)}
`,
  };
}
