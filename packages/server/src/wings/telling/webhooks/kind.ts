import type { KeyObject } from 'node:crypto'
import type { Attempt } from '../../../platform/outbound/index.ts'
import type { Kind } from '../../../platform/queue/index.ts'
import type { Seal } from '../../../platform/seal.ts'
import {
  type DeliveryContext,
  interrupted,
  isExhausted,
  type Job,
  type Settlement,
  settlementOf,
  signedHeaders,
  unreadableSecret,
} from '../deliveries/index.ts'

export type Post = (url: string, headers: Record<string, string>, body: Buffer) => Promise<Attempt>

export interface SendingContext extends DeliveryContext {
  post: Post
  seal: Seal
}

type WebhookKind = Kind<Job, Parameters<Post>, Attempt, Settlement>

/** The kind of queue job for webhooks: each attempt is one signed POST. */
export function webhookKind({ post, seal, settings, observe }: SendingContext): WebhookKind {
  const { ladderMs } = settings
  return {
    check: (job) => (isExhausted(job, ladderMs) ? interrupted : undefined),
    render({ url, deliveryId, eventType, body: text, sealedSecret, secretId }, now) {
      let secret: KeyObject
      try {
        secret = seal.openKey(sealedSecret, secretId)
      } catch (error) {
        observe.failed(error)
        return { unsent: unreadableSecret }
      }
      const body = Buffer.from(text)
      return { request: [url, signedHeaders({ deliveryId, eventType, body }, secret, now), body] }
    },
    send: (request) => post(...request),
    judge: (job, attempt, now) => settlementOf(job, attempt, ladderMs, now),
  }
}
