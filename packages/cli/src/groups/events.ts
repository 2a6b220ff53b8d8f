import { command, type Group } from '../command.ts'
import { beforeOldest, eventsAfter, type FeedEvent, newest, tryFeed } from '../service/feed.ts'
import { untilInterrupted } from '../service/polling.ts'
import type { Session } from '../session.ts'
import { table } from '../terminal/table.ts'
import { columnsOf } from '../terminal/terminal.ts'
import { shownTime } from '../terminal/times.ts'
import { momentOf } from '../values/moments.ts'
import { wholeNumber } from '../values/option-values.ts'

const pauseMs = 2000

const list = command({
  name: 'events list',
  summary: 'List the events of a project, oldest first.',
  options: {
    since: { value: 'TIME', about: 'From this time on, such as 2026-12-01T08:00:00Z or 2h.' },
    actor: { value: 'WHO', about: 'Only what this person or token did, by id or name.' },
    event: { value: 'EVENT', about: 'Only events of this name.' },
    limit: { value: 'N', about: 'Only the newest N. Default: all.' },
    follow: { about: 'Print only what happens from now on, until Ctrl-C.' },
  },
  async run({ options, session }) {
    const { output, world } = session
    if (options.follow) return follow(session, options.event, options.actor)
    const since = options.since === undefined ? '' : momentOf(options.since, '--since', world.now())
    const limit = wholeNumber(options.limit, '--limit')
    const found: FeedEvent[] = []
    let after = await beforeOldest(session)
    // Without a filter, the feed has no gaps, so older events need not be read.
    const isWhole = options.since === undefined && options.actor === undefined && options.event === undefined
    if (isWhole && limit !== undefined) after = Math.max(after, (await newest(session)) - limit)
    for (let hasMore = true; hasMore; ) {
      const page = await eventsAfter(session, after, { event: options.event })
      found.push(...page.events.filter((each) => each.timestamp >= since && isBy(each, options.actor)))
      after = page.next
      hasMore = page.hasMore
    }
    const events = limit === undefined ? found : found.slice(-limit)
    output.data(events, () => output.rows(columns, events, 'No event matches.'))
  },
})

export const events: Group = {
  name: 'events',
  summary: 'What happened in a project, as sent to webhooks.',
  commands: [list],
}

const columns = [
  { head: 'SEQ', cell: ({ seq }: FeedEvent) => seq, right: true as const },
  { head: 'TIME', cell: ({ timestamp }: FeedEvent) => shownTime(timestamp) },
  { head: 'EVENT', cell: ({ event }: FeedEvent) => event },
  { head: 'ABOUT', cell: aboutOf },
]

/** What an event is about: the key or the name of the object that it carries, or else of the project. */
export function aboutOf(event: FeedEvent): string {
  const { project, triggeredBy: _triggeredBy, ...carried } = event as Record<string, unknown>
  for (const value of [...Object.values(carried), project]) {
    const named = value as { key?: unknown; name?: unknown } | null
    const text = typeof named?.key === 'string' ? named.key : named?.name
    if (typeof text === 'string') return text
  }
  return ''
}

/** Whether this person or token caused the event. */
function isBy(event: FeedEvent, actor: string | undefined): boolean {
  if (actor === undefined) return true
  const { triggeredBy } = event as { triggeredBy?: { id: string | null; name: string } | null }
  return triggeredBy?.id === actor || triggeredBy?.name === actor
}

async function follow(session: Session, event: string | undefined, actor: string | undefined): Promise<void> {
  const { output, world } = session
  let after = await newest(session)
  await tryFeed(session, after, event)
  output.say('Waiting for events. Ctrl-C ends it.')
  await untilInterrupted(world, pauseMs, async () => {
    const page = await eventsAfter(session, after, { event })
    after = page.next
    for (const each of page.events.filter((one) => isBy(one, actor))) {
      if (output.isJson) output.line(JSON.stringify(each))
      else output.line(table(columns, [each], { width: columnsOf(world.stdout), paint: output.paint })[1])
    }
  })
}
