import type { Data } from '@svc/client'
import { auditPhrases } from '@svc/client/catalogue'
import { command, type Group } from '../command.ts'
import type { OptionValues } from '../options.ts'
import { allOf } from '../service/pages.ts'
import { untilInterrupted } from '../service/polling.ts'
import type { Session } from '../session.ts'
import { table } from '../terminal/table.ts'
import { columnsOf } from '../terminal/terminal.ts'
import { shownTime } from '../terminal/times.ts'
import { momentOf } from '../values/moments.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'

type Entry = Data<'/api/v1/audit', 'get'>[number]

const pauseMs = 2000

const filters = {
  since: { value: 'TIME', about: 'From this time on, such as 2026-12-01T08:00:00Z or 2h.' },
  until: { value: 'TIME', about: 'Before this time.' },
  actor: { value: 'ID', about: 'Only entries of this user or token, by id, or of system.' },
  action: { value: 'ACTION', about: 'Only this action, such as flag.update, or all that begin with flag.' },
  search: { value: 'TEXT', about: 'Only entries with these words.' },
} as const

const list = command({
  name: 'audit list',
  summary: 'List who did what, newest first.',
  about: 'With a project, only its entries.',
  options: { ...filters, ...limitOption, follow: { about: 'Print only what is done from now on, until Ctrl-C.' } },
  examples: ['svc audit list --since 1d --action flag.', 'svc audit list --follow'],
  async run({ options, session }) {
    const { connection, output } = session
    const filter = await filterFrom(session, options)
    if (options.follow) return follow(session, filter)
    const entries = await allOf(
      (query) => connection.api.GET('/api/v1/audit', { params: { query: { ...query, ...filter } } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(entries, () => output.rows(columns, entries, 'No entry matches.'))
  },
})

const exported = command({
  name: 'audit export',
  summary: 'Print audit entries as CSV or NDJSON, newest first.',
  options: {
    ...filters,
    format: { value: 'FORMAT', about: 'csv, the default, or ndjson.', choices: ['csv', 'ndjson'] },
  },
  examples: ['svc audit export --since 30d > audit.csv'],
  async run({ options, session }) {
    const query = new URLSearchParams({ ...(await filterFrom(session, options)), format: options.format ?? 'csv' })
    const response = await session.connection.send('GET', `/api/v1/audit/export?${query}`)
    if (response.body) for await (const bytes of response.body) await session.output.raw(bytes)
  },
})

export const audit: Group = { name: 'audit', summary: 'Who did what and when.', commands: [list, exported] }

async function filterFrom(session: Session, options: OptionValues<typeof filters>): Promise<Record<string, string>> {
  const { settings, world, connection } = session
  const { since, until, actor, action, search } = options
  return {
    ...(since !== undefined && { from: momentOf(since, '--since', world.now()) }),
    ...(until !== undefined && { to: momentOf(until, '--until', world.now()) }),
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(search !== undefined && { q: search }),
    ...(settings.project && { projectId: await projectIdOf(connection, settings.project.value) }),
  }
}

/** The log of a deleted project stays, so this filter takes ids alone. */
async function projectIdOf({ api }: Session['connection'], projectId: string): Promise<string> {
  const { data } = await api.GET('/api/v1/projects/{projectId}', { params: { path: { projectId } } })
  return data!.data.id
}

const phrases: Record<string, string> = auditPhrases

const columns = [
  { head: 'TIME', cell: ({ at }: Entry) => shownTime(at) },
  { head: 'WHO', cell: ({ actor }: Entry) => actor.name },
  { head: 'DID', cell: ({ action }: Entry) => phrases[action] ?? action },
  { head: 'WHAT', cell: ({ object }: Entry) => object.name },
]

/** Entries are numbered, and a page has the newest. It prints those with a higher number than it has seen. */
async function follow({ connection, output, world }: Session, filter: Record<string, string>): Promise<void> {
  const read = async (limit: number) => {
    const { data } = await connection.api.GET('/api/v1/audit', { params: { query: { limit, ...filter } } })
    return data!.data
  }
  let seen = (await read(1))[0]?.seq ?? 0
  output.say('Waiting for entries. Ctrl-C ends it.')
  await untilInterrupted(world, pauseMs, async () => {
    const entries = await read(100)
    for (const entry of entries.filter(({ seq }) => seq > seen).reverse()) {
      seen = entry.seq
      if (output.isJson) output.line(JSON.stringify(entry))
      else output.line(table(columns, [entry], { width: columnsOf(world.stdout), paint: output.paint })[1])
    }
  })
}
