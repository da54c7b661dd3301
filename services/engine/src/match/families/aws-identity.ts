import type { Signature } from "../../findings.ts";

export const awsIdentity: readonly Signature[] = [
  {
    id: "aws.access-denied",
    category: "permission",
    match: {
      code: [
        "AccessDenied",
        "UnauthorizedOperation",
        "AuthorizationErrorException",
        "KMSAccessDeniedException",
        "AllAccessDisabled",
      ],
      message: [
        "is not authorized to perform: {action}",
        "User: {user} is not authorized",
        "You are not authorized to perform this operation",
        "because no identity-based policy allows the {action} action",
        "with an explicit deny in",
      ],
    },
    meaning: "The role may not do {action}: no policy allows it, or one denies it.",
    seenIfTrue:
      "`aws sts get-caller-identity` in the process shows the role, and its policies lack the action or the resource",
    seenIfFalse: "the policies allow it, and the resource's own policy, a boundary or the key's policy denies it",
    shortTerm:
      "Allow exactly that action on exactly that resource; for S3 and KMS look at the bucket's and the key's policy too.",
    longTerm: "Keep policies as code, and test them with the service's own role.",
    url: "https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html",
  },
  {
    id: "aws.no-credentials",
    category: "auth",
    match: {
      code: ["CredentialsProviderError", "NoCredentialsError", "NoCredentialProviders"],
      message: [
        "Could not load credentials from any providers",
        "Unable to locate credentials",
        "Unable to load credentials from any of the providers in the chain",
        "Missing credentials in config",
        "NoCredentialProviders: no valid providers in chain",
        "no EC2 IMDS role found",
        "failed to refresh cached credentials",
      ],
    },
    meaning: "The process has no AWS credentials at all: no role, no variables, no profile.",
    seenIfTrue: "`aws sts get-caller-identity` in the same environment fails as well",
    seenIfFalse: "it works there, and the process runs in another environment",
    shortTerm:
      "Give the workload a role (task role, IRSA, instance profile), or the variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.",
    longTerm: "Use roles everywhere, and check the identity at start.",
    url: "https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html",
  },
  {
    id: "aws.expired-token",
    category: "auth",
    match: {
      code: ["ExpiredToken", "ExpiredTokenException", "RequestExpired", "TokenRefreshRequired"],
      message: [
        "The security token included in the request is expired",
        "The provided token has expired",
        "The SSO session associated with this profile has expired",
        "Token is expired. To refresh this SSO session run",
      ],
    },
    meaning: "The temporary AWS credentials are past their time.",
    seenIfTrue: "the credentials were copied into variables, or the process keeps them instead of renewing",
    seenIfFalse: "they are fresh, and the host's clock is wrong",
    shortTerm: "Get new credentials (`aws sso login`, a new role session), and restart.",
    longTerm: "Let the SDK's default chain renew them, and never copy temporary credentials.",
    url: "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_use-resources.html",
  },
  {
    id: "aws.invalid-credentials",
    category: "auth",
    match: {
      code: [
        "InvalidAccessKeyId",
        "UnrecognizedClientException",
        "InvalidClientTokenId",
        "SignatureDoesNotMatch",
        "InvalidSignatureException",
        "AuthFailure",
        "IncompleteSignature",
        "MissingAuthenticationToken",
      ],
      message: [
        "The security token included in the request is invalid",
        "The request signature we calculated does not match the signature you provided",
        "The AWS Access Key Id you provided does not exist in our records",
        "Signature expired: {time} is now earlier than",
      ],
    },
    meaning:
      "AWS does not accept the key or the signature: wrong, deleted, of another account or region, or signed with a wrong clock.",
    seenIfTrue: "`aws sts get-caller-identity` with the same key fails",
    seenIfFalse: "it works, and a proxy changes the request after it was signed",
    shortTerm: "Check key, region and endpoint, and the host's clock (`date -u`).",
    longTerm: "Use roles instead of keys.",
    url: "https://docs.aws.amazon.com/IAM/latest/UserGuide/signature-v4-troubleshooting.html",
  },
  {
    id: "aws.clock-skew",
    category: "bad-config",
    match: {
      code: ["RequestTimeTooSkewed", "RequestInTheFuture"],
      message: ["The difference between the request time and the current time is too large"],
    },
    meaning: "The clock of this host differs from that of AWS by more than 15 minutes.",
    seenIfTrue: "`date -u` differs from the answer's Date header",
    seenIfFalse: "both agree",
    shortTerm: "Correct the clock (chrony, NTP).",
    longTerm: "Watch the clocks' difference.",
    url: "https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html",
  },
];
