import { hashId, holdsHash } from '../bucketing/hashed-id.ts'
import { ensure } from '../record.ts'

/**
 * Compiles a segment to a test of targeting keys.
 *
 * @throws TypeError if the segment is malformed
 */
export function memberOf({ salt, ids }: { salt: string; ids: string }): (user: unknown) => boolean {
  ensure(typeof salt === 'string' && typeof ids === 'string')
  return (user) => typeof user === 'string' && holdsHash(ids, hashId(salt, user))
}
