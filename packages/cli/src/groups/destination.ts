import type { Data } from '@svc/client'
import { type Command, command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { usage } from '../problem.ts'
import type { Session } from '../session.ts'
import { plain } from '../terminal/terminal.ts'
import { shownTime } from '../terminal/times.ts'
import { fieldOptions, fieldsOf } from '../values/field-options.ts'
import { delivering, sentTo } from '../webhooks/delivering.ts'
import { configGiven, configOptions, kindNames, withSecrets } from '../webhooks/destination-config.ts'

type Destination = Data<'/api/v1/projects/{projectId}/destinations/{destinationId}', 'get'>
type Saved = Destination & { secret?: string | null }
type Preview = Data<'/api/v1/projects/{projectId}/destinations/preview', 'post'>

const sending = { name: 'destination', path: 'destinations' } as const
const yesOrNo = ['yes', 'no'] as const
const kindOption = { kind: { value: 'KIND', about: 'The kind, which cannot change.', choices: kindNames } } as const

const options = {
  event: { value: 'EVENT', many: true, about: 'An event that the destination gets, such as flag.published.' },
  only: {
    value: 'ENV',
    many: true,
    about: 'Only events of this environment, and events without an environment; "all" for all.',
    keys: 'environment',
  },
  digest: { value: 'WHEN', about: 'When it sends events.', choices: ['NONE', 'HOURLY', 'DAILY'] },
  'quiet-hours': { value: 'yes|no', about: 'Whether it keeps the quiet hours.', choices: yesOrNo },
  'all-projects': {
    value: 'yes|no',
    about: 'Whether the destination gets the events of every project.',
    choices: yesOrNo,
  },
  ...kindOption,
  ...configOptions,
} as const

const later = { enabled: { value: 'yes|no', about: 'Whether it sends events.', choices: yesOrNo } } as const

const [list, get, create, set, remove] = objectCommands<Saved, typeof options, typeof later>({
  of: 'destination',
  isNamed: true,
  parts: ['config'],
  summaries: {
    list: 'List the destinations of a project, newest first.',
    get: 'Show a destination, without its secrets.',
    create: 'Create a destination: a chat, a ticket system, an alarm, mails, or a custom request.',
    set: 'Change a destination. Omitted secrets do not change.',
    delete: 'Delete a destination with its deliveries.',
  },
  filters: { kind: { value: 'KIND', about: 'Only destinations of this kind.', choices: kindNames } },
  about:
    'Secrets come from files or standard input, never from arguments. On a terminal, svc asks for missing secrets without showing them. The fields of each kind are in the guide Destinations.',
  examples: [
    'svc destination create --name "#releases" --kind SLACK --event flag.published --secret url=slack-url.txt',
    'svc destination create --name Bugs --kind GITHUB --event flag.srm_failed --field owner=acme --field repo=shop --secret token=- < token.txt',
  ],
  options,
  later,
  async fields(given, session) {
    const config = await configGiven(given, session)
    const { event, only, digest, kind, enabled } = given
    const [quietHours, allProjects] = [given['quiet-hours'], given['all-projects']]
    return {
      ...(kind !== undefined && { kind }),
      ...(event && { events: event }),
      ...(only && { environmentIds: await environmentIds(session, only) }),
      ...(digest !== undefined && { digest }),
      ...(quietHours !== undefined && { quietHours: quietHours === 'yes' }),
      ...(allProjects !== undefined && { allProjects: allProjects === 'yes' }),
      ...(enabled !== undefined && { enabled: enabled === 'yes' }),
      ...(config && { config }),
    }
  },
  async complete(body, session) {
    if (!body.name || !body.kind || !body.events) throw usage('A destination needs --name, --kind and --event.')
    return withSecrets(body, session)
  },
  printOnce({ secret }, { output }) {
    if (secret) output.details([['Secret', secret]])
  },
  lost: ({ key, name, config, secret }, before) =>
    config.sign === true && secret === null && before?.config.sign !== true
      ? `The destination "${name}" signs its requests, but the answer with its secret was lost, and it cannot be shown again. To get one, set the field sign to false, then to true: svc destination set ${key} --field sign=true.`
      : undefined,
  columns: () => [
    { head: 'KEY', cell: ({ key }) => key },
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'KIND', cell: ({ kind }) => kind },
    { head: 'ENABLED', cell: ({ enabled }) => (enabled ? 'yes' : 'no') },
    { head: 'EVENTS', cell: ({ events }) => events.join(', ') },
    { head: 'FAILURES', cell: ({ consecutiveFailures }) => consecutiveFailures, right: true },
  ],
  async details(found, session) {
    const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    return [
      ['Key', found.key],
      ['Name', found.name],
      ['Kind', found.kind],
      ...Object.entries(found.config).map(([name, value]) => [name, text(value)] as const),
      ['Unconfirmed', found.unconfirmed.join(', ') || null],
      ['Enabled', found.enabled ? 'yes' : `no${found.disableReason ? `: ${found.disableReason}` : ''}`],
      ['Failures', found.consecutiveFailures],
      ['Events', found.events.join(', ')],
      ['Environments', found.environmentIds && (await environmentKeys(session, found.environmentIds)).join(', ')],
      ['Projects', found.allProjects ? 'all' : null],
      ['Digest', found.digest === 'NONE' ? null : found.digest],
      ['Quiet hours', found.quietHours ? 'kept' : 'not kept'],
      ['Title', found.template?.title],
      ['Summary', found.template?.summary],
      ['Waits until', found.heldUntil && shownTime(found.heldUntil)],
    ]
  },
  idOf: async (session, called) => (await sentTo<Destination>(session, sending, called)).id,
}) as [Command, Command, Command, Command, Command]

const preview = command({
  name: 'destination preview',
  summary: 'Show the request that an event would cause, without secrets. Nothing is sent.',
  about: 'Name a destination, whose fields the options can replace, or use --kind with the config.',
  args: ['[KEY]'],
  keys: { KEY: 'destination' },
  options: {
    event: { value: 'EVENT', about: 'The latest event of this name, or else an example.' },
    'event-id': { value: 'ID', about: 'An event that has happened.' },
    delivery: { value: 'ID', about: 'A delivery of the destination; the preview shows it as it would be sent now.' },
    file: fieldOptions.file,
    ...kindOption,
    ...configOptions,
  },
  examples: ['svc destination preview "#releases" --event flag.published'],
  async run({ args, options: given, session }) {
    const { connection, output, project } = session
    const { event, delivery, kind } = given
    const found = args.KEY === undefined ? undefined : await sentTo<Destination>(session, sending, args.KEY)
    if (delivery !== undefined && !found) throw usage('--delivery needs the destination: svc destination preview KEY.')
    const config = await configGiven(given, session)
    const described = {
      ...(found && { kind: found.kind, template: found.template }),
      ...(kind !== undefined && { kind }),
      ...(config && { config }),
    }
    const { file } = given
    const fields = file === undefined ? described : await fieldsOf(session, { file }, described, ['config'])
    if (!('kind' in fields)) throw usage('Name a destination, or use --kind with the config.')
    const { kind: ofKind, template = null, config: whole = {} } = fields as Record<string, unknown>
    const response = await connection.send(
      'POST',
      `/api/v1/projects/${encodeURIComponent(project)}/destinations/preview`,
      {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ kind: ofKind, template, config: whole },
          ...(found && { destinationId: found.id }),
          ...(delivery !== undefined && { recordId: delivery }),
          ...(given['event-id'] !== undefined && { eventId: given['event-id'] }),
          ...(event !== undefined && { event }),
        }),
      },
    )
    const { data } = (await response.json()) as { data: Preview }
    output.data(data, () => showPreview(data, session))
  },
})

export const destination: Group = {
  name: 'destination',
  summary: 'Notify people through chats, tickets, alarms and mails.',
  commands: [list, get, create, set, remove, ...delivering(sending), preview],
}

function showPreview({ event, eventId, request }: Preview, { output }: Session): void {
  output.say(`${event}${eventId === null ? ', an example: no such event has happened' : ` ${eventId}`}`)
  if (!request) return output.say('This kind sends nothing for this event.')
  output.line(plain(`${request.method} ${request.url}`))
  for (const [name, value] of Object.entries(request.headers)) output.line(plain(`${name}: ${value}`))
  output.line()
  for (const line of JSON.stringify(request.body, null, 2).split('\n')) output.line(plain(line))
}

async function environmentIds({ connection, project }: Session, called: string[]): Promise<string[] | null> {
  if (called.length === 1 && called[0] === 'all') return null
  const found = called.map((envId) =>
    connection.api.GET('/api/v1/projects/{projectId}/environments/{envId}', {
      params: { path: { projectId: project, envId } },
    }),
  )
  return (await Promise.all(found)).map(({ data }) => data!.data.id)
}

async function environmentKeys({ connection, project }: Session, ids: string[]): Promise<string[]> {
  const { data } = await connection.api.GET('/api/v1/projects/{projectId}/environments', {
    params: { path: { projectId: project } },
  })
  return ids.map((id) => data!.data.find((each) => each.id === id)?.key ?? id)
}
