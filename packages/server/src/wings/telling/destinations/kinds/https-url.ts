import { z } from 'zod'

/**
 * The address of a receiver. What is asked of it beyond that is asked of the parsed address, and only if it is one:
 * `https://` begins like an address and cannot be parsed.
 */
export function httpsUrl(maxLength: number, rule?: { meets: (url: URL) => boolean; message: string }) {
  const field = z.url({ protocol: /^https$/, error: 'Must be an https URL.', abort: true }).max(maxLength)
  return rule ? field.refine((text) => URL.canParse(text) && rule.meets(new URL(text)), rule.message) : field
}
