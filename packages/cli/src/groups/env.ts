import type { Data } from '@svc/client'
import type { DataFile, Flag, Rule } from '@svc/core'
import { command, type Group } from '../command.ts'
import { usage } from '../problem.ts'
import { etagOf } from '../service/etag.ts'
import { allOf } from '../service/pages.ts'
import type { Session } from '../session.ts'
import { ago, shownTime } from '../terminal/times.ts'
import { keyOption } from '../values/field-options.ts'
import { wholeNumber } from '../values/option-values.ts'

type Environment = Data<'/api/v1/projects/{projectId}/environments/{envId}', 'get'>

const environmentPath = '/api/v1/projects/{projectId}/environments/{envId}'

const ingestKeyWords: Record<Environment['ingestKeyRequiredFor'], string> = {
  NONE: 'not required',
  TRACKED_EVENTS: 'required for tracked events',
  ALL: 'required for exposures and tracked events',
}

const list = command({
  name: 'env list',
  summary: 'List the environments of a project.',
  watch: true,
  async run({ session }) {
    const { project, connection, output, world } = session
    const environments = await allOf((query) =>
      connection.api.GET('/api/v1/projects/{projectId}/environments', {
        params: { path: { projectId: project }, query },
      }),
    )
    output.data(environments, () =>
      output.rows(
        [
          { head: 'KEY', cell: ({ key }) => key },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'REVISION', cell: ({ dataFile }) => dataFile.revision, right: true },
          { head: 'STAGED', cell: ({ hasStagedChanges }) => (hasStagedChanges ? 'yes' : 'no') },
          { head: 'SDKS', cell: ({ sdks }) => sdks.reduce((sum, { instances }) => sum + instances, 0), right: true },
          { head: 'LAST HEARTBEAT', cell: ({ lastHeartbeatAt }) => ago(lastHeartbeatAt, world.now()) || 'never' },
        ],
        environments,
        'The project has no environment.',
      ),
    )
  },
})

const get = command({
  name: 'env get',
  summary: 'Show an environment.',
  watch: true,
  async run({ session }) {
    const { environment } = await read(session)
    const { key, name, color, protected: isProtected, position, sdkKey, dataFile, sdks, lastHeartbeatAt } = environment
    const { ingestKeyRequiredFor, ingestKeyMissedAt } = environment
    session.output.data(environment, () =>
      session.output.details([
        ['Key', key],
        ['Name', name],
        ['Color', color],
        ['Protected', isProtected ? 'yes' : 'no'],
        ['Position', position + 1],
        ['SDK key', sdkKey],
        ['Ingest key', ingestKeyWords[ingestKeyRequiredFor]],
        ['Event without key', ingestKeyMissedAt && `last rejected ${shownTime(ingestKeyMissedAt)}`],
        ['Revision', dataFile.revision],
        ['Published', shownTime(dataFile.publishedAt)],
        ['Staged', environment.hasStagedChanges ? 'yes' : 'no'],
        ['SDKs', sdks.map(({ type, version, instances }) => `${instances} ${type} ${version}`).join(', ') || 'none'],
        ['Last heartbeat', shownTime(lastHeartbeatAt) || 'never'],
      ]),
    )
  },
})

const create = command({
  name: 'env create',
  summary: 'Create an environment.',
  about:
    'With --copy-from, rules get new salts, so a visitor who is in a rollout or a test there can be outside it here. To\nkeep the salts, compare the two environments in the dashboard and copy the rules with Copy to ….',
  args: ['NAME'],
  options: {
    ...keyOption,
    color: { value: 'COLOR', about: 'The color, such as #16A34A.' },
    'copy-from': { value: 'ENV', about: 'Copy flags and rules as they are edited there.', keys: 'environment' },
  },
  examples: ['svc env create Staging --copy-from production'],
  async run({ args, options, session }) {
    const { project, connection, output } = session
    const { key, color, 'copy-from': copyFrom } = options
    const { data } = await connection.api.POST('/api/v1/projects/{projectId}/environments', {
      params: { path: { projectId: project } },
      body: {
        name: args.NAME,
        ...(key !== undefined && { key }),
        ...(color !== undefined && { color }),
        ...(copyFrom !== undefined && { copyFromEnvId: copyFrom }),
      },
    })
    output.wrote(data!.data, `The environment ${data!.data.key} is created. Its SDK key is ${data!.data.sdkKey}.`)
  },
})

const set = command({
  name: 'env set',
  summary: 'Change an environment.',
  options: {
    name: { value: 'NAME', about: 'The name for people.' },
    color: { value: 'COLOR', about: 'The color, such as #16A34A.' },
    protected: {
      value: 'yes|no',
      about: 'Whether the dashboard asks before a flag runs or pauses.',
      choices: ['yes', 'no'],
    },
    position: { value: 'N', about: 'The place, from 1.' },
  },
  async run({ options, session }) {
    const { name, color, protected: isProtected } = options
    const position = wholeNumber(options.position, '--position')
    const body = {
      ...(name !== undefined && { name }),
      ...(color !== undefined && { color }),
      ...(isProtected !== undefined && { protected: isProtected === 'yes' }),
      ...(position !== undefined && { position: position - 1 }),
    }
    if (Object.keys(body).length === 0) throw usage('Nothing to change is given. See svc env set --help.')
    const { environment, etag } = await read(session)
    const { data } = await session.connection.api.PATCH(environmentPath, {
      params: { path: { projectId: session.project, envId: environment.id }, header: { 'x-svc-if-match': etag } },
      body,
    })
    session.output.wrote(data!.data, `The environment ${data!.data.key} is changed.`)
  },
})

const remove = command({
  name: 'env delete',
  summary: 'Delete an environment with all that is defined in it.',
  async run({ session }) {
    const { environment, etag } = await read(session)
    const { key, id } = environment
    await session.prompt.confirmTyping(`The environment ${key} is deleted with its rules, revisions and results.`, key)
    await session.connection.api.DELETE(environmentPath, {
      params: { path: { projectId: session.project, envId: id }, header: { 'x-svc-if-match': etag } },
    })
    session.output.wrote(null, `The environment ${key} is deleted.`)
  },
})

const compare = command({
  name: 'env compare',
  summary: 'List the flags that visitors get differently in two environments.',
  about: 'It compares the published data files. Salts, ids and the names of rules are ignored.',
  args: ['A', 'B'],
  keys: { A: 'environment', B: 'environment' },
  async run({ args, session }) {
    const [one, other] = [await dataFileOf(session, args.A), await dataFileOf(session, args.B)]
    const found = differences(one, other)
    session.output.data(found, () =>
      session.output.rows(
        [
          { head: 'FLAG', cell: ({ key }) => key },
          { head: args.A.toUpperCase(), cell: ({ a }) => a },
          { head: args.B.toUpperCase(), cell: ({ b }) => b },
          { head: 'DIFFERENT', cell: ({ differences: parts }) => parts.join(', ') },
        ],
        found,
        `Visitors get the same in ${args.A} and ${args.B}.`,
      ),
    )
  },
})

const datafile = command({
  name: 'env datafile',
  summary: 'Print the data file of an environment, byte for byte.',
  examples: ['svc env datafile --env production > flags.json'],
  async run({ session }) {
    const response = await fetchDataFile(session, session.env)
    await session.output.raw(new Uint8Array(await response.arrayBuffer()))
  },
})

const status = command({
  name: 'env status',
  summary: 'Show which SDKs serve which revision.',
  watch: true,
  async run({ session }) {
    const { project, env, connection, output, world } = session
    const path = { projectId: project, envId: env }
    const { data } = await connection.api.GET(`${environmentPath}/propagation`, { params: { path } })
    const propagation = data!.data
    if (output.isJson) return output.data(propagation, () => undefined)
    const { confirmed, behind, silent } = propagation.instances
    output.details([
      ['Revision', propagation.currentRevision],
      ['Published', shownTime(propagation.publishedAt)],
      ['Serve it', confirmed],
      ['Behind', behind],
      ['No heartbeat', silent],
    ])
    const clients = await allOf((query) =>
      connection.api.GET(`${environmentPath}/clients`, { params: { path, query } }),
    )
    output.line()
    output.rows(
      [
        { head: 'SDK', cell: ({ sdkType, sdkVersion }) => `${sdkType} ${sdkVersion}` },
        { head: 'INSTANCE', cell: ({ instanceId }) => instanceId },
        { head: 'STATE', cell: ({ state }) => state },
        { head: 'REVISION', cell: ({ revision }) => revision, right: true },
        { head: 'LAST SEEN', cell: ({ lastSeenAt }) => ago(lastSeenAt, world.now()) },
      ],
      clients,
      'No SDK is connected.',
    )
  },
})

const restore = command({
  name: 'env restore',
  summary: 'Stage what an earlier revision served.',
  args: ['REVISION'],
  options: {
    flag: { value: 'KEY', many: true, about: 'Only this flag.', keys: 'flag' },
    'dry-run': { about: 'Show what would be staged, and change nothing.' },
  },
  async run({ args, options, session }) {
    const { project, env, connection, output } = session
    const revision = args.REVISION
    if (!/^\d+(\.\d+)?$/.test(revision))
      throw usage(`REVISION must be a revision such as 41, or a step of it such as 41.1 (got ${revision}).`)
    const { data } = await connection.api.POST(`${environmentPath}/revisions/{revision}/restore`, {
      params: { path: { projectId: project, envId: env, revision } },
      body: { ...(options.flag && { flagIds: options.flag }), ...(options['dry-run'] && { dryRun: true }) },
    })
    const { flags } = data!.data
    const keys = flags.map(({ key }) => key).join(', ')
    const what = options['dry-run'] ? 'would be staged' : 'is staged. svc publish makes it live'
    output.wrote(
      data!.data,
      flags.length > 0 ? `Revision ${revision} of ${keys} ${what}.` : `The drafts already match revision ${revision}.`,
    )
  },
})

export const env: Group = {
  name: 'env',
  summary: 'Environments, and what their SDKs serve.',
  commands: [list, get, create, set, remove, compare, datafile, status, restore],
}

async function read({ connection, project, env: envId }: Session): Promise<{ environment: Environment; etag: string }> {
  const { data, response } = await connection.api.GET(environmentPath, {
    params: { path: { projectId: project, envId } },
  })
  return { environment: data!.data, etag: etagOf(response) }
}

async function fetchDataFile({ connection, project }: Session, envId: string): Promise<Response> {
  const { data } = await connection.api.GET(environmentPath, { params: { path: { projectId: project, envId } } })
  return connection.send('GET', `/api/sdk/v1/datafile/${encodeURIComponent(data!.data.sdkKey)}.json`)
}

const dataFileOf = async (session: Session, envId: string): Promise<DataFile> =>
  (await (await fetchDataFile(session, envId)).json()) as DataFile

/** A flag that visitors get differently. `a` and `b` are `on`, `off` or `missing`. */
export interface Difference {
  key: string
  a: string
  b: string
  differences: string[]
}

export function differences(one: Pick<DataFile, 'flags'>, other: Pick<DataFile, 'flags'>): Difference[] {
  const keys = [...new Set([...Object.keys(one.flags), ...Object.keys(other.flags)])].sort()
  return keys.flatMap((key) => {
    const [a, b] = [ownFlag(one, key), ownFlag(other, key)]
    const parts = a && b ? differentParts(a, b) : ['presence']
    return parts.length > 0 ? [{ key, a: stateOf(a), b: stateOf(b), differences: parts }] : []
  })
}

const ownFlag = ({ flags }: Pick<DataFile, 'flags'>, key: string): Flag | undefined =>
  Object.hasOwn(flags, key) ? flags[key] : undefined

const stateOf = (flag: Flag | undefined): string => (flag ? (flag.enabled ? 'on' : 'off') : 'missing')

function differentParts(a: Flag, b: Flag): string[] {
  const differ = (read: (flag: Flag) => unknown) => JSON.stringify(read(a)) !== JSON.stringify(read(b))
  return [
    differ(({ enabled }) => enabled) && 'switch',
    differ(({ defaultVariation }) => defaultVariation) && 'default',
    differ(({ variations }) => variations) && 'variations',
    // Hashed ids have a salt of their own in each environment, so they cannot be compared.
    a.overrideSalt === undefined &&
      b.overrideSalt === undefined &&
      differ(({ overrides }) => overrides ?? {}) &&
      'overrides',
    differ(({ rules = [] }) => rules.map(comparable)) && 'rules',
  ].filter((part) => part !== false)
}

function comparable({ id: _id, salt: _salt, overrides: _overrides, ...compared }: Rule): unknown {
  return compared
}
