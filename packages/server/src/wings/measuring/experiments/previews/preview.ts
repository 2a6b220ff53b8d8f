import type { DataFile } from '@svc/core'
import {
  defaultWebSettings,
  type ServedCode,
  servedCode,
  type WebContent,
  type WebSettings,
  webDocument,
} from '../../../model/web/index.ts'
import { limits } from '../web-links/limits.ts'
import type { Preview } from '../web-links/queries.ts'
import type { previewStatuses } from './schema.ts'

export function statusOf(
  { revokedAt, expiresAt }: Pick<Preview, 'revokedAt' | 'expiresAt'>,
  now: Date,
): (typeof previewStatuses)[number] {
  if (revokedAt) return 'REVOKED'
  return expiresAt <= now ? 'EXPIRED' : 'OPEN'
}

/** What a preview shows. */
export interface Shown {
  /** The key of the hidden flag. */
  key: string
  environment: { id: string; key: string }
  web: WebContent
  /** Those of the test, in order. */
  variations: readonly { id: string; key: string }[]
  variationKey: string
}

/**
 * A data file in which everybody gets the variation, by a delivery and not by a test, so that nobody counts. The audience,
 * the traffic and the schedule of the experiment are not in it.
 */
export const forcedFile = ({ key, environment, variations, variationKey }: Shown): DataFile => ({
  ...{ schemaVersion: 1, revision: 0, environment, publishedAt: null },
  ...{ audiences: {}, exclusionGroups: {}, events: {} },
  flags: {
    [key]: {
      ...{ id: '0', type: 'STRING', enabled: true, defaultVariation: variationKey },
      variations: Object.fromEntries(variations.map((each) => [each.key, each.key])),
      rules: [{ id: '0', salt: '0', type: 'TARGETED_DELIVERY', variation: variationKey }],
    },
  },
})

/** Longer than any page is open. */
const anyDelayMs = 2 ** 31

/**
 * The web document of a preview, and the code that it numbers. The person has asked for it, so neither consent nor privacy signals nor a late start keep
 * it from the page.
 */
export function previewDocument(
  { key, web, variations }: Shown,
  { codeVariations }: Pick<WebSettings, 'codeVariations'>,
): { web: string; code: ServedCode[] } {
  const settings: WebSettings = {
    ...defaultWebSettings,
    ...{ codeVariations, honorPrivacySignals: false, maxDelayMs: anyDelayMs },
  }
  const contents = variations.flatMap((each) => {
    const content = web.variations[each.id]
    return content ? [[each.key, content] as const] : []
  })
  const content = { settings, experiments: [{ ...web, key, variations: Object.fromEntries(contents) }] }
  return { web: webDocument({ revision: 0, ...content }).text, code: servedCode(content) }
}

/** A ticket names what its module shows. It is signed, so every node knows it without a trip to the database. */
export interface Ticket {
  previewId: string
  sdkKey: string
  variationKey: string
  /** Milliseconds. */
  until: number
}

export const ticketUntil = (now: Date): Date => new Date(now.getTime() + limits.preview.ticketMs)

export const ticketText = (ticket: Ticket): string => Buffer.from(JSON.stringify(ticket)).toString('base64url')

/** Reads the text of a ticket whose signature is right. */
export const readTicket = (text: string): Ticket => JSON.parse(Buffer.from(text, 'base64url').toString()) as Ticket
