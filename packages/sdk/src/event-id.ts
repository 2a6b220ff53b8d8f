import type { Platform } from './platform.ts'

/**
 * A UUID of version 7: the time in milliseconds, then random digits. Ids in the order of time keep the index of the
 * service small. A retry sends the same id, so the service counts the event once.
 */
export function eventId(platform: Platform): string {
  const random = (digits: number) => hexadecimal(platform.random() * 16 ** digits, digits)
  const variant = '89ab'[Math.floor(platform.random() * 4)]
  const digits = `${hexadecimal(platform.now(), 12)}7${random(3)}${variant}${random(3)}${random(12)}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const hexadecimal = (number: number, digits: number): string => Math.floor(number).toString(16).padStart(digits, '0')
