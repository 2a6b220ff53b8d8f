import type { Data } from '@svc/client'
import { command, type Group } from '../../command.ts'
import { Problem } from '../../problem.ts'
import { etagOf } from '../../service/etag.ts'
import { allOf } from '../../service/pages.ts'
import type { Session } from '../../session.ts'
import { momentWords, usageColumns } from './key-use.ts'

const path = '/api/v1/projects/{projectId}/environments/{envId}/sdk-keys'

export type SdkKey = Data<typeof path, 'get'>[number]

const list = command({
  name: 'sdk-key list',
  summary: 'List the SDK keys of an environment, and who still uses them.',
  about: 'CLIENTS has the SDKs that reported in the last day that they use the key.',
  watch: true,
  async run({ session }) {
    const { output, world, env } = session
    const keys = await keysOf(session)
    output.data(keys, () =>
      output.rows(
        [
          { head: 'KEY', cell: ({ key }) => key },
          ...usageColumns<SdkKey>(world.now()),
          { head: 'CLIENTS', cell: ({ clients }) => clientWords(clients) || 'none' },
        ],
        keys,
        `There is no SDK key in ${env}.`,
      ),
    )
  },
})

const create = command({
  name: 'sdk-key create',
  summary: 'Create a second SDK key for an environment.',
  about: 'Both work until you revoke one. The new one is the key that the environment shows.',
  examples: ['svc sdk-key create --env production'],
  async run({ session }) {
    const { project, env, connection, output } = session
    const { data } = await connection.api.POST(path, { params: { path: { projectId: project, envId: env } } })
    const { key } = data!.data
    output.wrote(data!.data, `The SDK key ${key} of ${env} is created. Move your clients to it, then revoke the other.`)
  },
})

const revoke = command({
  name: 'sdk-key revoke',
  summary: 'Revoke an SDK key of an environment.',
  about:
    'It stops working at once for data files, streams, OFREP, events and heartbeats. The question names the clients that used it in the last day. The last key of an environment cannot be revoked.',
  args: ['KEY'],
  examples: ['svc sdk-key revoke sdk_lO0amei2J6pPSyk2d0RfRNWFtVkuXf3D --env production'],
  async run({ args, session }) {
    const { project, env, connection, output, prompt, world } = session
    const place = { projectId: project, envId: env }
    const { data, response } = await connection.api.GET(path, { params: { path: place } })
    const found = data!.data.find(({ id, key }) => id === args.KEY || key === args.KEY)
    if (!found) throw new Problem('not_found', `${env} has no SDK key ${args.KEY}. See svc sdk-key list.`)
    if (data!.data.length > 1)
      await prompt.confirm(`${revocationWords(found, world.now())} Revoke ${shortKey(found.key)} of ${env}?`)
    await connection.api.DELETE(`${path}/{sdkKeyId}`, {
      params: { path: { ...place, sdkKeyId: found.id }, header: { 'x-svc-if-match': etagOf(response) } },
    })
    output.wrote(null, `The SDK key ${shortKey(found.key)} of ${env} is revoked.`)
  },
})

export const sdkKey: Group = {
  name: 'sdk-key',
  summary: 'SDK keys of an environment, and their renewal.',
  commands: [list, create, revoke],
}

const keysOf = ({ connection, project, env }: Session): Promise<SdkKey[]> =>
  allOf((query) => connection.api.GET(path, { params: { path: { projectId: project, envId: env }, query } }))

/** Enough of the key to recognize it. */
const shortKey = (key: string): string => `${key.slice(0, 12)}…`

const clientWords = (clients: SdkKey['clients']): string =>
  clients.map(({ instances, type, version }) => `${instances} ${type} ${version}`).join(', ')

/** What a revocation means for those who use the key. */
export function revocationWords({ clients, lastUsedAt }: Pick<SdkKey, 'clients' | 'lastUsedAt'>, now: Date): string {
  if (lastUsedAt === null && clients.length === 0) return 'This key was never used.'
  const last = lastUsedAt === null ? '' : ` It was last used ${momentWords(lastUsedAt, now)}.`
  if (clients.length === 0) return `No client reported in the last day that it uses this key.${last}`
  return `Clients of the last day will not get changes: ${clientWords(clients)}.${last}`
}
