export const hooks: { beforePacking(manifest: object): unknown };
