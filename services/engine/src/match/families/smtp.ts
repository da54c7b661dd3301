import type { Signature } from "../../findings.ts";

export const smtp: readonly Signature[] = [
  {
    id: "smtp.greylist",
    category: "resource-exhaustion",
    match: {
      message: [
        "421 4.7.0",
        "450 4.7.1",
        "451 4.7.1",
        "Greylisted",
        "452 4.2.2",
        "452-4.2.2",
        "4.7.28",
        "too many connections from your",
        "Daily user sending limit exceeded",
        "Maximum sending rate exceeded",
      ],
    },
    meaning: "The mail server refuses for now: greylisting, a full mailbox, or too much mail from this sender.",
    seenIfTrue: "the same mail passes some minutes later",
    seenIfFalse: "it is refused again after hours",
    shortTerm: "Send it again later, with growing pauses.",
    longTerm: "Send through a queue with a bounded rate.",
    url: "https://www.rfc-editor.org/rfc/rfc5321#section-4.2",
  },
  {
    id: "smtp.policy",
    category: "permission",
    match: {
      message: [
        "550 5.7.1",
        "550-5.7.1",
        "550-5.7.26",
        "554 5.7.1",
        "Relay access denied",
        "relaying denied",
        "Sender address rejected",
        "530 5.7.0 Must issue a STARTTLS command first",
        "Email address is not verified",
      ],
    },
    meaning:
      "The mail server does not take mail from this sender: not allowed to relay, not verified (SPF, DKIM), or not encrypted.",
    seenIfTrue: "the answer names the policy; the sender's domain lacks SPF or DKIM for this server",
    seenIfFalse: "mail from the same sender passes at other times",
    shortTerm: "Do what the answer names: sign in, use STARTTLS, verify the sender, or set SPF and DKIM.",
    longTerm: "Watch DMARC reports, and send through one service.",
    url: "https://www.rfc-editor.org/rfc/rfc5321#section-4.2",
  },
  {
    id: "smtp.recipient",
    category: "data-validation",
    match: {
      code: ["EENVELOPE"],
      message: [
        "No recipients defined",
        "550 5.1.1",
        "550-5.1.1",
        "Recipient address rejected",
        "User unknown in",
        "mailbox unavailable",
        "501 5.1.3",
      ],
    },
    meaning: "The mail server refused the recipient: the address is malformed, unknown, or missing.",
    seenIfTrue: "the address in the answer does not exist, or the list of recipients is empty",
    seenIfFalse: "the address works from another sender",
    shortTerm: "Check the address that the answer names, and stop sending to it.",
    longTerm: "Check addresses where they enter, and handle bounces.",
    url: "https://www.rfc-editor.org/rfc/rfc5321#section-4.2",
  },
];
