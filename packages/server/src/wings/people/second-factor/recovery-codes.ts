import { createHash, randomInt } from 'node:crypto'
import { limits } from '../accounts/index.ts'

// Without 0, 1, l and o, because people copy codes from paper. 24 letters out of 32 are 120 bits, enough for a plain
// hash.
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'
const groups = 4
const groupLength = 6

export const newRecoveryCodes = (): string[] => Array.from({ length: limits.recoveryCodes }, newRecoveryCode)

const newRecoveryCode = (): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')

/** The only form in which a recovery code is stored. Case and spacing do not matter. */
export const hashOfRecoveryCode = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest()
