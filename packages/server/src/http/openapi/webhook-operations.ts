import { deliveryHeaders } from '@svc/core'
import { eventNames, events } from '../../catalogue/events.ts'
import { bodyNameOf, goneStatus, isProduced, type ProducedEvent } from '../../catalogue/payloads.ts'
import type { Operation } from './document.ts'

const headers = {
  id: {
    description: 'Id of the delivery, the same for every attempt. Use it to ignore repeated deliveries.',
    example: '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00',
  },
  event: { description: 'Name of the event, as in the body.', example: 'flag.published' },
  signature: {
    description:
      '`sha256=` and the HMAC-SHA256 of `<delivery id>.<timestamp>.<body>` in lowercase hexadecimal digits. The key is the secret of the webhook. Verify it before you read the body.',
    example: `sha256=${'0'.repeat(64)}`,
  },
  timestamp: {
    description: 'Time of this attempt: ISO 8601 in UTC with milliseconds. Refuse deliveries that are too old.',
    example: '2026-12-01T09:00:00.000Z',
  },
} satisfies Record<keyof typeof deliveryHeaders, { description: string; example: string }>

const answers = {
  '2XX': { description: 'The delivery is received. The body of the answer does not matter.' },
  [goneStatus]: { description: 'The endpoint is gone for good. The delivery has failed and is not retried.' },
  default: {
    description:
      'The attempt has failed. This includes a redirect, a timeout and a lost connection. The delivery is retried; `Retry-After` can lengthen the delay.',
  },
}

/** The deliveries of this build: one operation of the receiver for each event that can happen. */
export function webhooks(): Record<string, { post: Operation }> {
  return Object.fromEntries(eventNames.filter(isProduced).map((name) => [name, { post: deliveryOf(name) }]))
}

function deliveryOf(name: ProducedEvent): Operation {
  return {
    operationId: `receive${bodyNameOf(name)}`,
    summary: events[name].meaning,
    description:
      'Sent to every enabled webhook that subscribes to the event. See [receiving webhooks](/docs/webhooks#write-a-receiver).',
    tags: ['Webhook deliveries'],
    security: [],
    parameters: Object.entries(headers).map(([header, { description, example }]) => ({
      name: deliveryHeaders[header as keyof typeof deliveryHeaders],
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
      example: header === 'event' ? name : example,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${bodyNameOf(name)}` } } },
    },
    responses: answers,
  }
}
