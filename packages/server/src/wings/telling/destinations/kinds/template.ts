import { z } from 'zod'
import type { Body } from '../body.ts'
import { filledJson, type JsonTemplate } from '../template.ts'
import { judged } from './chat-kind.ts'
import type { Answer, Outgoing, Verdict } from './ticket-kind.ts'

const bodyMaxBytes = 256 * 1024
const headersMax = 10
/** Those of a connection, and those that a signed delivery sets itself. */
const ownHeaders = /^(host|connection|content-length|content-type|transfer-encoding|user-agent|x-svc-.*|proxy-.*)$/i

const config = z.strictObject({
  url: z.url({ protocol: /^https$/, error: 'Must be an https URL.' }).max(2_000),
  method: z.enum(['POST', 'PUT']).default('POST'),
  headers: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z0-9-]{1,100}$/, 'Must be the name of a header.')
        .refine((name) => !ownHeaders.test(name), 'This header is set by the service.'),
      z
        .string()
        .max(2_000)
        .regex(/^[\x20-\x7e]*$/, 'Must be printable ASCII.'),
    )
    .refine((headers) => Object.keys(headers).length <= headersMax, `At most ${headersMax} headers.`)
    .default({}),
  body: z.json().meta({ description: 'JSON whose strings can have placeholders such as `{{flag.name}}`.' }),
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
  /** Without the headers of a signature, which need the secret. */
  requestOf({ config: { url, method, headers, body }, payload }: { config: TemplateConfig; payload: Body }): Outgoing {
    return {
      via: 'https',
      method,
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(filledJson(body as JsonTemplate, payload)),
    }
  },
  /** Nothing longer is sent. */
  isTooLong: ({ body }: Outgoing): boolean => Buffer.byteLength(body ?? '') > bodyMaxBytes,
  judge: (answer: Answer, now: Date): Verdict => judged(answer, now, []),
}
