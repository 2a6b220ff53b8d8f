import { z } from 'zod'
import type { Answer, Body, Outgoing, Verdict } from '../../tickets/index.ts'
import { filledJson, type JsonTemplate } from '../template.ts'
import { judged } from './chat-kind.ts'
import { httpsUrl } from './https-url.ts'

const bodyMaxBytes = 256 * 1024
const templateMaxBytes = 64 * 1024
const headersMax = 10
/** Those of a connection, and those that a signed delivery sets itself. */
const ownHeaders = /^(host|connection|content-length|content-type|transfer-encoding|user-agent|x-svc-.*|proxy-.*)$/i

function problemOf(name: string): string | undefined {
  if (!/^[A-Za-z0-9-]{1,100}$/.test(name)) return 'Must be the name of a header.'
  return ownHeaders.test(name) ? 'This header is set by the service.' : undefined
}

const config = z.strictObject({
  url: httpsUrl(2_000),
  method: z.enum(['POST', 'PUT']).default('POST'),
  headers: z
    .record(
      z.string(),
      z
        .string()
        .max(2_000)
        .regex(/^[\x20-\x7e]*$/, 'Must be printable ASCII.'),
    )
    .superRefine((headers, context) => {
      const names = Object.keys(headers)
      if (names.length > headersMax) context.addIssue({ code: 'custom', message: `At most ${headersMax} headers.` })
      for (const name of names) {
        const message = problemOf(name)
        if (message) context.addIssue({ code: 'custom', path: [name], message })
      }
    })
    .default({}),
  body: z
    .unknown()
    .refine((body) => body !== undefined, 'Must be the JSON to send.')
    .refine((body) => Buffer.byteLength(JSON.stringify(body) ?? '') <= templateMaxBytes, 'Must have at most 64 KB.')
    .meta({ description: 'JSON whose strings can have placeholders such as `{{flag.name}}`.' }),
  sign: z.boolean().default(false).meta({ description: 'Whether requests have the headers of a signed webhook.' }),
})

export type TemplateConfig = z.infer<typeof config>

/** Any address that takes JSON of its own form. */
export const template = {
  config,
  secrets: ['url', 'headers'] as const,
  urls: ['url'] as const,
  paceMs: 0,
  folds: false as const,
  /** Without the headers of a signature, which need the secret. Undefined if the body would be too long. */
  requestOf({
    config: { url, method, headers, body },
    payload,
  }: {
    config: TemplateConfig
    payload: Body
  }): Outgoing | undefined {
    const text = filledJson(body as JsonTemplate, payload, bodyMaxBytes)
    if (text === undefined) return undefined
    return { via: 'https', method, url, headers: { ...headers, 'content-type': 'application/json' }, body: text }
  },
  judge: (answer: Answer, now: Date): Verdict => judged(answer, now, []),
}
