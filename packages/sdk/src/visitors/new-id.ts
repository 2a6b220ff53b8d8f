import type { Platform } from '../requests/platform.ts'

/**
 * A UUID of version 7: the time in milliseconds, then random digits. Ids in the order of time keep the index of the
 * service small. `crypto.randomUUID` makes a different version, and does not exist in pages without HTTPS.
 */
export function newId({ now, random }: Platform): string {
  const time = [...Math.floor(now()).toString(16).padStart(12, '0')]
  const digit = () => time.shift() ?? Math.floor(random() * 16).toString(16)
  return 'xxxxxxxx-xxxx-7xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, digit)
}
