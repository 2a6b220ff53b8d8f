import { Secret, TOTP } from 'otpauth'
import { limits } from '../accounts/index.ts'

const secretBytes = 20
const periodSeconds = 30
const digits = 6
const algorithm = 'SHA1'
const codePattern = /^\d{6}$/

export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32

/**
 * The content of the QR code for authenticator apps: https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export const totpUri = (secret: string, account: string, issuer: string): string =>
  totpOf(secret, { issuer, label: account }).toString()

/**
 * The 30-second step of the code; undefined if there is none near `now` or it is not newer than `lastStep`. A code
 * works once and invalidates those before it.
 */
export function stepOfCode(
  secret: string,
  code: string,
  { now, lastStep }: { now: Date; lastStep: number | null },
): number | undefined {
  const token = code.replace(/\s/g, '')
  // The library would throw for six characters with more than six bytes.
  if (!codePattern.test(token)) return undefined
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token, timestamp, window: limits.totpWindowSteps })
  if (delta === null) return undefined
  const step = Math.floor(timestamp / 1000 / periodSeconds) + delta
  return lastStep === null || step > lastStep ? step : undefined
}

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm, digits, period: periodSeconds })
