import { createHash } from 'node:crypto';

const buckets = 100;

export function bucketOf(flag: string, user: string): number {
  const digest = createHash('sha1').update(`${flag}.${user}`, 'utf8').digest();
  const bucket = digest.readUInt32BE(0) % buckets;
  if (bucket < 0 || bucket >= buckets) throw new RangeError(`bucket ${bucket} of ${user}`);
  return bucket;
}
