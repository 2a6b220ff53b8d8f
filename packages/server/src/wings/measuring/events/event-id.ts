import { hash } from 'node:crypto'

export const maxIdLength = 128

/**
 * The UUID under which an event is stored. A UUID stays itself. Any other text, such as the id that a program has
 * already given to an order, becomes a UUID made from its SHA-256 (version 8), so a repeated event is still found.
 */
export function idOf(told: string): string {
  if (uuidPattern.test(told)) return told.toLowerCase()
  const digits = hash('sha256', told)
  const variant = '89ab'[Number.parseInt(digits[16]!, 16) % 4]
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
