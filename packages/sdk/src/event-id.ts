import type { Platform } from './platform.ts'

/**
 * A UUID of version 7: the time in milliseconds, then random digits. Ids in the order of time keep the index of the
 * service small. A retry sends the same id, so the service counts the event once.
 */
export function eventId(platform: Platform): string {
  const random = (digits: number) => hexadecimal(platform.random() * 16 ** digits, digits)
  const time = hexadecimal(platform.now(), 12)
  const variant = hexadecimal(8 + Math.floor(platform.random() * 4), 1)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random(3)}-${variant}${random(3)}-${random(6)}${random(6)}`
}

const hexadecimal = (number: number, digits: number): string => Math.floor(number).toString(16).padStart(digits, '0')
