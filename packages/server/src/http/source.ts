import { invalid, type Refusal } from '../catalogue/refusals.ts'

/** What a change is made from, such as a file. It stays with the change for as long as it is staged. */
export const sourceHeader = 'x-svc-source'

export const maxSourceLength = 200
const sourcePattern = new RegExp(`^[\\x20-\\x7e]{1,${maxSourceLength}}$`)

export const sourceIn = (headers: Record<string, unknown>): { source?: string } =>
  typeof headers[sourceHeader] === 'string' ? { source: headers[sourceHeader] } : {}

export function refusesSource(sent: unknown): Refusal | undefined {
  if (sent === undefined || sourcePattern.test(String(sent))) return undefined
  return invalid({
    path: ['X-Svc-Source'],
    message: `Must have 1 to ${maxSourceLength} printable ASCII characters.`,
  })
}
