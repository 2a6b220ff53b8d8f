import { z } from 'zod'
import type { Issue } from '../../../catalogue/refusals.ts'
import { webAddress } from './page-context.ts'

const maxRedirectLength = 2000

/** Where a variation sends its visitors. */
export const redirectSchema = z
  .strictObject({
    url: z
      .string()
      .max(maxRedirectLength)
      .superRefine((address, context) => {
        const fault = redirectFault(address)
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
      })
      .meta({ description: 'An absolute http or https address. Its host must be among the hosts of the project.' }),
    keepQuery: z.boolean().default(true).meta({ description: 'Whether query and hash of the page are kept.' }),
  })
  .meta({ id: 'WebRedirect' })

export type Redirect = z.output<typeof redirectSchema>

function redirectFault(address: string): string | undefined {
  if (/[\s\p{Cc}\p{Bidi_Control}\\]/u.test(address))
    return 'must not contain spaces, backslashes, line breaks or control characters.'
  const url = webAddress(address)
  if (!url || !/^https?:\/\/[^/]/i.test(address)) return 'must be an address that begins with http:// or https://.'
  return url.username === '' && url.password === '' ? undefined : 'must not contain a user name or a password.'
}

/** A variation either sends its visitors to another address or changes their page. */
export function refusesBoth(variation: {
  redirect: Redirect | null
  changes: readonly unknown[]
  css: string | null
  js: string | null
}): Issue | undefined {
  const { redirect, changes, css, js } = variation
  if (!redirect || (changes.length === 0 && css === null && js === null)) return undefined
  const has = changes.length > 0 ? 'changes' : css === null ? 'code' : 'CSS'
  return {
    path: ['redirect'],
    message: `must be null, because the variation has ${has}. Remove the redirect or the ${has}.`,
  }
}
