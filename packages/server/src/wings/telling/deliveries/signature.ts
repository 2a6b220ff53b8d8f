import { createHmac, type KeyObject } from 'node:crypto'
import { deliveryHeaders, formatSignature, signatureHead } from '@svc/core'

const headerNames = {
  id: deliveryHeaders.id.toLowerCase(),
  event: deliveryHeaders.event.toLowerCase(),
  signature: deliveryHeaders.signature.toLowerCase(),
  timestamp: deliveryHeaders.timestamp.toLowerCase(),
}

/** The headers of one attempt, with a fresh timestamp. */
export function signedHeaders(
  { deliveryId, eventType, body }: { deliveryId: string; eventType: string; body: Buffer },
  secret: KeyObject,
  now: Date,
): Record<string, string> {
  const timestamp = now.toISOString()
  const digest = createHmac('sha256', secret).update(signatureHead(deliveryId, timestamp)).update(body).digest()
  return {
    'content-type': 'application/json',
    [headerNames.id]: deliveryId,
    [headerNames.event]: eventType,
    [headerNames.signature]: formatSignature(digest),
    [headerNames.timestamp]: timestamp,
    'user-agent': 'Svc-Webhooks/1.0',
  }
}
