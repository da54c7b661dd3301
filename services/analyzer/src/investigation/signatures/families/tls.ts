import type { Signature } from "../../findings.ts";

const url = "https://nodejs.org/api/tls.html#x509-certificate-error-codes";

export const tls: readonly Signature[] = [
  {
    id: "tls.expired",
    category: "auth",
    match: { code: ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"] },
    meaning: "The certificate of the other side has expired or is not valid yet.",
    seenIfTrue: "`openssl s_client` shows an end date in the past for that host",
    seenIfFalse: "the certificate is valid now, and this machine's clock is wrong",
    shortTerm: "Renew the certificate on the other side and reload it there; check this machine's clock.",
    longTerm: "Renew automatically, and alert weeks before certificates expire.",
    url,
  },
  {
    id: "tls.untrusted",
    category: "auth",
    match: {
      code: [
        "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        "SELF_SIGNED_CERT_IN_CHAIN",
        "DEPTH_ZERO_SELF_SIGNED_CERT",
        "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
        "UNABLE_TO_GET_ISSUER_CERT",
      ],
    },
    meaning: "The certificate of the other side is not signed by an authority that this process trusts.",
    seenIfTrue: "the chain that the other side sends lacks the intermediate, or ends in a private authority",
    seenIfFalse: "the chain is complete and its root is publicly trusted",
    shortTerm:
      "Let the other side send the whole chain, or give the private authority to this process (NODE_EXTRA_CA_CERTS).",
    longTerm: "Check chains in deployment; never switch verification off.",
    url,
  },
  {
    id: "tls.altname",
    category: "auth",
    match: { code: ["ERR_TLS_CERT_ALTNAME_INVALID"] },
    meaning: "The certificate is valid for other names than the one that was dialled.",
    seenIfTrue: "the certificate's alternative names lack the host",
    seenIfFalse: "the names include the host",
    shortTerm: "Dial the name that the certificate holds, or reissue it with the right names.",
    longTerm: "Address services by the names in their certificates, never by IP.",
    url,
  },
  {
    id: "tls.handshake",
    category: "bad-config",
    match: {
      message:
        /(?:EPROTO|ssl3_get_record:wrong version number|wrong version number|tlsv1 alert|handshake failure|packet length too long)/,
    },
    meaning: "The TLS handshake failed: the other side speaks plain HTTP on that port, or no common protocol version.",
    seenIfTrue: "the port answers plain HTTP",
    seenIfFalse: "`openssl s_client` completes a handshake with the same host and port",
    shortTerm: "Check scheme and port of the address.",
    longTerm: "Check the address's scheme where the configuration is read.",
    url: "https://nodejs.org/api/errors.html#openssl-errors",
  },
];
