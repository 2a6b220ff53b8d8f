import { z } from 'zod'
import { hostField, maxHosts } from './hosts.ts'
import { hostName } from './page-context.ts'
import { repeatedIn } from './pages.ts'

/** The settings of a web project, as the body of a PUT. A field that is left out takes its default. */
export const webSettingsBody = z
  .strictObject({
    hosts: z
      .array(hostField)
      .max(maxHosts)
      .superRefine((hosts, context) => {
        for (const index of repeatedIn(hosts))
          context.addIssue({ code: 'custom', path: [index], message: 'must be different from the other hosts.' })
      })
      .default([])
      .meta({ description: 'Where previews, editor sessions and redirects can go.' }),
    consent: z
      .enum(['NOT_REQUIRED', 'REQUIRED'])
      .default('NOT_REQUIRED')
      .meta({ description: 'REQUIRED: nothing is stored or sent before the page calls `svc.consent(true)`.' }),
    pending: z.enum(['HOLD', 'APPLY']).default('HOLD').meta({
      description:
        'While consent is required and open: HOLD changes nothing, APPLY changes the page and sends nothing.',
    }),
    honorPrivacySignals: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether Do Not Track and Global Privacy Control count as a refusal of consent.' }),
    codeVariations: z.boolean().default(true).meta({ description: 'Whether the code of variations is served.' }),
    maxDelayMs: z
      .int()
      .min(0)
      .max(10_000)
      .default(2000)
      .meta({ description: 'A new visitor takes no part if the page was shown this long before the script ran.' }),
    scriptMaxAgeSeconds: z
      .int()
      .min(0)
      .max(3600)
      .default(60)
      .meta({ description: 'How long browsers use the script without asking again.' }),
    cookieDomain: z
      .string()
      .nullable()
      .default(null)
      .refine((domain) => domain === null || (hostName(domain) === domain && !/^[\d.]+$|^\[/.test(domain)), {
        message: 'must be a domain in lower case, such as shop.example.',
      })
      .meta({
        description: 'The domain of the cookie with the visitor id. Null: the widest one that the browser takes.',
      }),
  })
  .meta({ id: 'WebSettings' })

/** The settings as an answer shows them. */
export const webSettingsSchema = z
  .object({ ...webSettingsBody.shape, hosts: z.string().array() })
  .meta({ id: 'CurrentWebSettings' })

export type WebSettings = z.output<typeof webSettingsBody>

/** The settings of a web project before anybody has changed them. */
export const defaultWebSettings: WebSettings = webSettingsBody.parse({})
