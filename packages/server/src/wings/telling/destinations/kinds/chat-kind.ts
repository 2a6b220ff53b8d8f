import { z } from 'zod'
import type { Answer, Message, Outgoing, Verdict } from '../../tickets/index.ts'
import { httpsUrl } from './https-url.ts'
import { hold } from './rate-limits.ts'
import { cut } from './ticket-text.ts'

/** A kind that sends messages: one for each event, or one for several that have waited. */
export interface ChatKind<Config> {
  config: z.ZodType<Config>
  /** Fields that are sealed and never answered. */
  secrets: readonly (keyof Config)[]
  /** Fields with addresses, which obey the rules for those of webhooks. */
  urls: readonly (keyof Config)[]
  /** The time between two requests. */
  paceMs: number
  /** Whether messages that wait together become one. */
  folds: true
  requestOf(input: { config: Config; messages: readonly [Message, ...Message[]] }): Outgoing
  judge(answer: Answer, now: Date): Verdict
}

/** The address that a chat gives is the secret: anyone who has it can write. */
export const secretUrl = (description: string) =>
  z.strictObject({
    url: httpsUrl(2_000).meta({ description }),
  })

export const json = (url: string, body: unknown): Outgoing => ({
  via: 'https',
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** What most chats mean with their status. 410 is final everywhere. */
export function judged(answer: Answer, now: Date, final: readonly number[]): Verdict {
  const { status } = answer
  if (status !== null && status >= 200 && status < 300) return { verdict: 'DELIVERED' }
  if (status === 429) return hold(answer, now)
  return { verdict: status !== null && [410, ...final].includes(status) ? 'PERMANENT' : 'RETRY' }
}

/** Cuts before it escapes, so that no escape is cut in two. Repeats this while the escaped text is too long. */
export const escapedTo =
  (toSafe: (text: string) => string) =>
  (text: string, maxLength: number): string => {
    for (let length = maxLength; ; length -= Math.ceil((toSafe(cut(text, length)).length - maxLength) / 2)) {
      const made = toSafe(cut(text, Math.max(1, length)))
      if (made.length <= maxLength) return made
      if (length <= 1) return ''
    }
  }

/** Shortens the longest texts until the whole is small enough. */
export function inBytes(make: (maxLength: number) => object, maxLength: number, maxBytes: number): object {
  for (let length = maxLength; ; length = Math.floor(length / 2)) {
    const made = make(length)
    if (Buffer.byteLength(JSON.stringify(made)) <= maxBytes || length <= 10) return made
  }
}
