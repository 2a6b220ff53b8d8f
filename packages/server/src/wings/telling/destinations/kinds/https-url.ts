import { z } from 'zod'

/**
 * The address of a receiver. Further checks use the parsed address, and run only if it can be parsed: `https://` begins
 * like an address but cannot be parsed.
 */
export function httpsUrl(maxLength: number, rule?: { meets: (url: URL) => boolean; message: string }) {
  const field = z.url({ protocol: /^https$/, error: 'Must be an https URL.', abort: true }).max(maxLength)
  return rule ? field.refine((text) => URL.canParse(text) && rule.meets(new URL(text)), rule.message) : field
}
