import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from '../databases/address.ts'
import { secrets } from '../secrets.ts'
import type { ServiceProcess } from './process.ts'

const secret = `svc_svc_${randomBytes(32).toString('base64url')}`

/** For processes on one database: an organization with a token for all scopes and no rate limits. */
export async function provisionedSettings({ dataDir, url }: Address): Promise<Record<string, string>> {
  const file = join(dataDir, 'provisioning.json')
  const serviceTokens = [{ name: 'admin', secret, scopes: ['admin:*'] }]
  await writeFile(file, JSON.stringify({ organizations: [{ name: 'Acme', serviceTokens }] }))
  return {
    SVC_DATA_DIR: dataDir,
    SVC_BOOTSTRAP_FILE: file,
    SVC_RATE_LIMIT_READ: '100000',
    SVC_RATE_LIMIT_WRITE: '100000',
    // Events are stored on a disk that is almost full, too.
    SVC_EVENT_DISK_RESERVE: '0',
    ...(url && { SVC_DATABASE_URL: url, SVC_SECRET_KEY: randomBytes(32).toString('base64url') }),
  }
}

/** Calls with that token. Rejects if the answer is a refusal or the connection is lost. */
export async function callProcess(
  { url }: ServiceProcess,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  secrets.note(secret)
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the API answers with any JSON
  const json: any = await answer.json()
  secrets.noteBodies(body, json)
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`)
  return json
}
