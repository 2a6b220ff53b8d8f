import { z } from 'zod'
import type { VendorAnswer, VendorRequest } from './ticket-vendors.ts'

export const chatNames = ['SLACK', 'DISCORD', 'TEAMS', 'GOOGLE_CHAT'] as const
export type ChatName = (typeof chatNames)[number]

const text = (maxLength: number) => z.string().min(1).max(maxLength)
/** https://docs.slack.dev/reference/block-kit/composition-objects/text-object */
const plainText = (maxLength: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: text(maxLength), emoji: z.literal(false) })
const anyText = (maxLength: number) =>
  z.union([
    plainText(maxLength),
    z.strictObject({ type: z.literal('mrkdwn'), text: text(maxLength), verbatim: z.literal(true) }),
  ])

/** https://docs.slack.dev/reference/block-kit/block-elements/link-element */
const richLink = z.strictObject({ type: z.literal('link'), url: z.url(), text: text(3_000) })

/** The documented limits. */
const limits: Record<ChatName, z.ZodType> = {
  // https://docs.slack.dev/reference/block-kit/blocks
  SLACK: z.strictObject({
    // https://docs.mattermost.com/developers/integrate/webhooks/incoming
    text: text(16_383),
    blocks: z
      .union([
        z.strictObject({
          type: z.literal('header'),
          text: plainText(150),
        }),
        z.strictObject({
          type: z.literal('section'),
          text: anyText(3_000),
        }),
        z.strictObject({
          type: z.literal('section'),
          fields: anyText(2_000).array().min(1).max(10),
        }),
        z.strictObject({
          type: z.literal('context'),
          elements: plainText(2_000).array().max(10),
        }),
        // https://docs.slack.dev/reference/block-kit/block-elements/rich-text-list-element
        z.strictObject({
          type: z.literal('rich_text'),
          elements: z
            .strictObject({
              type: z.literal('rich_text_list'),
              style: z.literal('bullet'),
              elements: z
                .strictObject({ type: z.literal('rich_text_section'), elements: richLink.array().length(1) })
                .array()
                .min(1),
            })
            .array()
            .length(1),
        }),
      ])
      .array()
      .min(1)
      .max(50),
  }),
  // https://discord.com/developers/docs/resources/message#embed-object-embed-limits
  DISCORD: z.strictObject({
    embeds: z
      .strictObject({
        title: text(256).optional(),
        url: z.url().optional(),
        description: text(4_096).optional(),
        color: z.int(),
        fields: z
          .strictObject({ name: text(256), value: text(1_024), inline: z.boolean() })
          .array()
          .max(25)
          .optional(),
        footer: z.strictObject({ text: text(2_048) }).optional(),
        timestamp: z.iso.datetime().optional(),
      })
      .array()
      .max(10)
      .refine(
        (embeds) =>
          embeds
            .flatMap(({ title = '', description = '', fields = [], footer }) => [
              ...[title, description, footer?.text ?? ''],
              ...fields.flatMap(({ name, value }) => [name, value]),
            ])
            .join('').length <= 6_000,
        'together 6,000',
      ),
    allowed_mentions: z.strictObject({ parse: z.array(z.never()).length(0) }),
  }),
  // https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
  TEAMS: z.strictObject({
    type: z.literal('message'),
    attachments: z
      .strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.object({ type: z.literal('AdaptiveCard'), version: z.literal('1.4') }),
      })
      .array()
      .length(1),
  }),
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/cards
  GOOGLE_CHAT: z.strictObject({
    fallbackText: text(4_096),
    cardsV2: z
      .strictObject({
        cardId: z.string(),
        card: z.strictObject({
          header: z.strictObject({ title: text(300) }),
          sections: z
            .strictObject({ widgets: z.object({}).array().min(1).max(100) })
            .array()
            .max(100),
        }),
      })
      .array(),
    thread: z.strictObject({ threadKey: text(4_000) }).optional(),
  }),
}
const bytesMost: Record<ChatName, number> = {
  SLACK: 1_000_000,
  DISCORD: 1_000_000,
  TEAMS: 28 * 1024,
  GOOGLE_CHAT: 32_000,
}

/** Everything that a person would read or be called by. */
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : []

/** What would call somebody, in the form of each chat. */
const mention: Record<ChatName, RegExp> = {
  SLACK: /<[!@#]/,
  // `allowed_mentions` forbids all of them; shown as text, they must not look like one either.
  DISCORD: /(?<!\\)@(everyone|here)|(?<!\\)<(?!\\)@/,
  TEAMS: /<at>/,
  GOOGLE_CHAT: /<users\//,
}

const maxFaultLength = 2_000

/** Why a chat would not take a body, by its documentation, or what in it would call somebody. */
export function chatFault(name: ChatName, body: string): string | undefined {
  if (!body.isWellFormed()) return 'It is not well-formed text.'
  if (Buffer.byteLength(body) > bytesMost[name]) return `It is longer than ${bytesMost[name]} bytes.`
  const fault = limits[name].safeParse(JSON.parse(body)).error
  if (fault) return z.prettifyError(fault).slice(0, maxFaultLength)
  // The footer of Discord, and plain texts and links of Slack and Google Chat are shown as they are.
  const read = JSON.parse(body, (field, value) =>
    field === 'footer' || field === 'fallbackText' || ['plain_text', 'link'].includes(value?.type) ? undefined : value,
  )
  // Mattermost mentions everybody whom an `@` in the text names.
  const atSigns = name === 'SLACK' ? (/@(?!\u200b)/.exec(read.text) ?? []) : []
  const calling = [...stringsIn(read).filter((each) => mention[name].test(each)), ...atSigns]
  return calling.length > 0 ? `It calls somebody: ${calling.join(', ').slice(0, maxFaultLength)}` : undefined
}

const taken: Record<ChatName, VendorAnswer> = {
  SLACK: { status: 200, headers: {}, body: 'ok' },
  DISCORD: { status: 200, headers: {}, body: '{"id":"1"}' },
  TEAMS: { status: 202, headers: {}, body: '' },
  GOOGLE_CHAT: { status: 200, headers: {}, body: '{"name":"spaces/A/messages/1"}' },
}

/** How each asks to wait 7 s. */
const limited: Record<ChatName, VendorAnswer> = {
  SLACK: { status: 429, headers: { 'retry-after': '7' }, body: 'rate_limited' },
  DISCORD: {
    status: 429,
    headers: {},
    body: '{"message":"You are being rate limited.","retry_after":7,"global":false}',
  },
  TEAMS: { status: 429, headers: { 'retry-after': '7' }, body: '' },
  GOOGLE_CHAT: { status: 429, headers: { 'retry-after': '7' }, body: '{"error":{"code":429}}' },
}

/** A chat in memory. It refuses what its documentation does not have. */
export function chatVendor(name: ChatName) {
  const vendor = {
    tickets: [],
    isLimited: false,
    faults: [] as string[],
    answer({ method, headers, body }: VendorRequest): VendorAnswer {
      if (vendor.isLimited) return limited[name]
      const isJson = method === 'POST' && /^application\/json/.test(headers['content-type'] ?? '')
      const fault = isJson ? chatFault(name, body) : 'It is no POST request with JSON.'
      if (fault === undefined) return taken[name]
      vendor.faults.push(fault)
      return { status: 400, headers: {}, body: 'invalid_payload' }
    },
  }
  return vendor
}
