import { z } from 'zod'
import { issueTexts, notingFields } from '../issue-text.ts'

const maxProviders = 20

/** Plain http is accepted only for a provider on this machine, for tests. */
function isTrustworthy(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}

const provider = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be 1 to 40 lower-case letters, digits and hyphens'),
  name: z.string().min(1).max(100),
  issuer: z.string().refine(isTrustworthy, 'must be an address that begins with https://'),
  clientId: z.string().min(1).max(1000),
  clientSecret: z.string().min(1).max(1000),
})

export type ProviderSettings = z.output<typeof provider>

const providers = provider
  .array()
  .max(maxProviders)
  .superRefine((list, context) => {
    for (const field of ['id', 'issuer'] as const)
      for (const [index, each] of list.entries())
        if (list.findIndex((other) => other[field] === each[field]) < index)
          context.addIssue({
            code: 'custom',
            path: [index, field],
            message: `must not be the ${field} of two providers`,
          })
  })

/** Reads a JSON list of providers. Messages name the place and never contain a value. */
export const providerList = z.string().transform((text, context): ProviderSettings[] => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a JSON list' })
    return z.NEVER
  }
  const parsed = providers.safeParse(json, { error: notingFields })
  if (parsed.success) return parsed.data
  context.addIssue({
    code: 'custom',
    message: `is not valid: ${issueTexts(parsed.error.issues, json, 'the list').join(' ')}`,
  })
  return z.NEVER
})
