import type { Data } from '@svc/client'
import { command, type Group } from '../../command.ts'
import { Problem, secretIn, usage } from '../../problem.ts'
import { etagOf } from '../../service/etag.ts'
import { allOf } from '../../service/pages.ts'
import type { Session } from '../../session.ts'
import { momentWords, usageColumns } from './key-use.ts'

const environmentPath = '/api/v1/projects/{projectId}/environments/{envId}'
const path = `${environmentPath}/ingest-keys` as const

type IngestKey = Data<typeof path, 'get'>[number]
type Requirement = Data<typeof environmentPath, 'get'>['ingestKeyRequiredFor']

/** What each requirement is called on the command line, and what it means for events without a key. */
const requirements: Record<Requirement, { name: string; effect: string }> = {
  NONE: { name: 'none', effect: 'All events count without an ingest key.' },
  TRACKED_EVENTS: {
    name: 'tracked-events',
    effect:
      'Tracked events without an ingest key, such as those of pages, will be rejected. Exposures count without one.',
  },
  ALL: { name: 'all', effect: 'Exposures and tracked events without an ingest key will be rejected.' },
}
const strictness: readonly Requirement[] = ['NONE', 'TRACKED_EVENTS', 'ALL']
const names = strictness.map((each) => requirements[each].name)
const choice = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** Whether events that counted before would be rejected. */
export const isStricter = (wanted: Requirement, before: Requirement): boolean =>
  strictness.indexOf(wanted) > strictness.indexOf(before)

const list = command({
  name: 'ingest-key list',
  summary: 'List the ingest keys of an environment, and who used them last.',
  about: 'KEY has the last four characters of each key. The keys themselves are shown only when they are created.',
  watch: true,
  async run({ session }) {
    const { output, world, env } = session
    const keys = await keysOf(session)
    output.data(keys, () =>
      output.rows(
        [
          { head: 'KEY', cell: (key) => hintOf(key) },
          ...usageColumns<IngestKey>(world.now()),
          { head: 'FROM', cell: (key) => senderWords(key) },
        ],
        keys,
        `There is no ingest key in ${env}.`,
      ),
    )
  },
})

const create = command({
  name: 'ingest-key create',
  summary: 'Create an ingest key for an environment, and print it.',
  about:
    'The key is shown only now. Give it to servers that send events, and never to a page: it is secret. An environment can have two, which both work.',
  examples: ['svc ingest-key create --env production'],
  async run({ session }) {
    const { project, env, connection, output } = session
    const { data } = await connection.api.POST(path, { params: { path: { projectId: project, envId: env } } })
    const hint = hintOf(data!.data)
    const secret = secretIn(
      data!.data,
      `The ingest key ${hint} of ${env} is created, but its answer was lost`,
      `revoke it with svc ingest-key revoke ${data!.data.lastCharacters}, and create another one`,
    )
    output.data(data!.data, () => output.line(secret))
    if (!output.isJson) output.say(`The ingest key ${hint} of ${env} is created. It is not shown again.`)
  },
})

const revoke = command({
  name: 'ingest-key revoke',
  summary: 'Revoke an ingest key of an environment.',
  about:
    'KEY is its id or its last four characters, such as k3Qd or …k3Qd. Events with it are refused at once. The question says who used it last. The only key cannot be revoked while events need one.',
  args: ['KEY'],
  examples: ['svc ingest-key revoke k3Qd --env production'],
  async run({ args, session }) {
    const { project, env, connection, output, prompt, world } = session
    const place = { projectId: project, envId: env }
    const { data, response } = await connection.api.GET(path, { params: { path: place } })
    const called = calledBy(args.KEY)
    const found = data!.data.filter(({ id, lastCharacters }) => id === called || lastCharacters === called)
    const [key] = found
    if (!key) throw new Problem('not_found', `${env} has no ingest key ${called}. See svc ingest-key list.`)
    if (found.length > 1) throw usage(`Both keys of ${env} end in ${called}. Give the id: svc ingest-key list --json.`)
    await prompt.confirm(`${lastUseWords(key, world.now())} Revoke ${hintOf(key)} of ${env}?`)
    await connection.api.DELETE(`${path}/{ingestKeyId}`, {
      params: { path: { ...place, ingestKeyId: key.id }, header: { 'x-svc-if-match': etagOf(response) } },
    })
    output.wrote(null, `The ingest key ${hintOf(key)} of ${env} is revoked.`)
  },
})

const require = command({
  name: 'ingest-key require',
  summary: 'Say which events of an environment count only with an ingest key.',
  about: `WHAT is ${choice}. Exposures of visitors in pages cannot have a key: all is only for tests that servers run.`,
  args: ['WHAT'],
  examples: ['svc ingest-key require tracked-events --env production', 'svc ingest-key require none --env production'],
  async run({ args, session }) {
    const { project, env, connection, output, prompt } = session
    const [wanted, { effect }] = requirementNamed(args.WHAT!)
    const params = { path: { projectId: project, envId: env } }
    const { data, response } = await connection.api.GET(environmentPath, { params })
    if (isStricter(wanted, data!.data.ingestKeyRequiredFor))
      await prompt.confirm(`${effect} Require an ingest key for ${args.WHAT} of ${env}?`)
    const changed = await connection.api.PATCH(environmentPath, {
      params: { ...params, header: { 'x-svc-if-match': etagOf(response) } },
      body: { ingestKeyRequiredFor: wanted },
    })
    const done = wanted === 'NONE' ? 'No event' : wanted === 'ALL' ? 'Every event' : 'Every tracked event'
    output.wrote(changed.data!.data, `${done} of ${env} needs an ingest key.`)
  },
})

export const ingestKey: Group = {
  name: 'ingest-key',
  summary: 'Secret keys with which servers send events, and what needs them.',
  commands: [list, create, revoke, require],
}

const keysOf = ({ connection, project, env }: Session): Promise<IngestKey[]> =>
  allOf((query) => connection.api.GET(path, { params: { path: { projectId: project, envId: env }, query } }))

function requirementNamed(name: string) {
  const found = (Object.keys(requirements) as Requirement[]).find((each) => requirements[each].name === name)
  if (!found) throw usage(`WHAT must be ${choice} (got ${name}).`)
  return [found, requirements[found]] as const
}

const hintOf = ({ lastCharacters }: Pick<IngestKey, 'lastCharacters'>): string => `…${lastCharacters}`

/** The id or the last characters of a key, for what a person called it: also the key, or a hint of `list`. */
export const calledBy = (given: string): string =>
  /^(?:svc_ing_)?…(.{4})$/.exec(given)?.[1] ?? /^svc_ing_.*(.{4})$/.exec(given)?.[1] ?? given

type Sender = Pick<IngestKey, 'lastUsedIp' | 'lastUsedUserAgent'>

const senderWords = ({ lastUsedIp, lastUsedUserAgent }: Sender): string =>
  [lastUsedIp, lastUsedUserAgent].filter(Boolean).join(' ')

/** Who used a key last, before it is revoked. */
export function lastUseWords(
  key: Pick<IngestKey, 'lastUsedAt' | 'lastUsedIp' | 'lastUsedUserAgent'>,
  now: Date,
): string {
  if (key.lastUsedAt === null) return 'This key was never used.'
  const from = key.lastUsedIp === null ? '' : ` from ${key.lastUsedIp}`
  const by = key.lastUsedUserAgent === null ? '' : ` by ${key.lastUsedUserAgent}`
  return `It was last used ${momentWords(key.lastUsedAt, now)}${from}${by}. Servers that still have it will be refused.`
}
