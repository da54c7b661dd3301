/** The columns of the identity library's tables that we write ourselves, with its names. */
export interface IdentityTables {
  organization: {
    id: string;
    name: string;
    slug: string;
    logo: string | null;
    createdAt: string;
    metadata: string | null;
  };
  member: { id: string; organizationId: string; userId: string; role: string; createdAt: string };
  user: {
    id: string;
    name: string;
    /** In lower case. */
    email: string;
    emailVerified: number | boolean;
    image: string | null;
    /** Null is the same as false. */
    twoFactorEnabled: number | boolean | null;
    createdAt: string;
    updatedAt: string;
  };
  twoFactor: { id: string; userId: string };
  account: {
    id: string;
    accountId: string;
    providerId: string;
    userId: string;
    password: string | null;
    createdAt: string;
    updatedAt: string;
  };
  invitation: { id: string; organizationId: string; email: string };
  verification: { id: string; value: string };
  session: { id: string; userId: string; expiresAt: string };
}
