import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { deliveryHeaders, formatSignature, signatureContent } from '@svc/core'
import { readObject, writePrivate } from '../files/user-files.ts'
import { usage } from '../problem.ts'
import type { Session } from '../session.ts'

const forwardTimeoutMs = 10_000

/** The secret that signs what `webhook listen` forwards. It stays the same for a project at an address. */
export function developmentSecret({ settings, project, connection }: Session): string {
  const path = join(settings.files.state, 'webhook-secrets.json')
  const secrets = readObject(path) ?? {}
  const name = `${connection.url} ${project}`
  const kept = secrets[name]
  if (typeof kept === 'string') return kept
  const secret = randomBytes(32).toString('hex')
  writePrivate(path, { ...secrets, [name]: secret })
  return secret
}

export function forwardAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw usage(`--forward must be an address such as http://localhost:3000/hooks (got ${text}).`)
  return text
}

/** Posts a body as the service would, with its four headers. Returns what to print about it. */
export async function deliver(
  { world }: Session,
  address: string,
  secret: string,
  event: { event: string; body: Record<string, unknown> },
): Promise<string> {
  const id = randomUUID()
  const timestamp = world.now().toISOString()
  const body = JSON.stringify({ ...event.body, id })
  const digest = createHmac('sha256', secret)
    .update(signatureContent(id, timestamp, body))
    .digest()
  try {
    const response = await world.fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [deliveryHeaders.id]: id,
        [deliveryHeaders.event]: event.event,
        [deliveryHeaders.timestamp]: timestamp,
        [deliveryHeaders.signature]: formatSignature(digest),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(forwardTimeoutMs),
    })
    await response.body?.cancel()
    return `${response.status}`
  } catch (error) {
    const { cause, message } = error as Error
    return (cause as NodeJS.ErrnoException | undefined)?.code ?? message
  }
}
