import type { Data } from '@svc/client'
import { counted } from '@svc/core'
import { command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { shownTime } from '../terminal/times.ts'

type Metric = Data<'/api/v1/projects/{projectId}/metrics/{metricId}', 'get'>
type NoOptions = Record<never, never>

const triggerOptions = {
  trigger: {
    value: 'EVENT',
    about:
      'What visitors do on pages that the script tells by itself, in a project of the type WEB; replaces the trigger.',
    choices: ['CLICK', 'FORM_SUBMIT', 'SEEN', 'PAGE_VIEW', 'none'],
  },
  selector: { value: 'SELECTOR', about: 'The elements of the trigger, such as a.cta.' },
} as const

const triggerOf = ({ on, selector, conditions }: NonNullable<Metric['trigger']>): string =>
  [on, selector, conditions ? 'where its conditions hold' : null].filter((part) => part !== null).join(' ')

const better = ({ direction }: Metric): string => (direction === 'INCREASE' ? 'more' : 'less')

const ofEvery = objectCommands<Metric, typeof triggerOptions, NoOptions>({
  of: 'metric',
  summaries: {
    list: 'List the metrics of a project.',
    get: 'Show a metric.',
    create: 'Create a metric.',
    set: 'Change a metric.',
    delete: 'Delete a metric that no rule uses.',
  },
  examples: [
    `echo '{ "key": "order_paid", "name": "Paid orders", "type": "PROPORTION", "eventKey": "order_paid" }' | svc metric create -f -`,
    'svc metric create -f cta.json --trigger CLICK --selector a.cta',
  ],
  options: triggerOptions,
  later: {},
  parts: ['trigger'],
  fields: ({ trigger, selector }) => {
    if (trigger === 'none') return { trigger: null }
    const fields = { ...(trigger !== undefined && { on: trigger }), ...(selector !== undefined && { selector }) }
    return Object.keys(fields).length > 0 ? { trigger: fields } : {}
  },
  columns: () => [
    { head: 'KEY', cell: ({ key }) => key },
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'TYPE', cell: ({ type }) => type },
    { head: 'EVENT', cell: ({ eventKey }) => eventKey },
    { head: 'BETTER', cell: better },
    { head: 'RULES', cell: ({ usedBy }) => usedBy.length, right: true },
  ],
  details: (found) => [
    ['Key', found.key],
    ['Name', found.name],
    ['Type', found.type],
    ['Event', found.eventKey],
    ['Trigger', found.trigger && triggerOf(found.trigger)],
    ['Value from', found.valueFrom],
    ['Divided by', found.denominator?.eventKey],
    ['Better', better(found)],
    ['Unit', found.unit],
    ['Window', `${found.conversionWindowHours} h`],
    ['Rules', found.usedBy.length],
  ],
})

const activity = command({
  name: 'metric activity',
  summary: 'Show whether a metric gets events.',
  about: 'The events that arrived in an environment in the last 30 days, and the value that tests measured lately.',
  args: ['KEY'],
  keys: { KEY: 'metric' },
  examples: ['svc metric activity order_paid --env production'],
  async run({ args, session }) {
    const { connection, output, project, env } = session
    const path = { projectId: project, metricId: args.KEY, envId: env }
    const { data } = await connection.api.GET('/api/v1/projects/{projectId}/metrics/{metricId}/envs/{envId}/activity', {
      params: { path },
    })
    const found = data!.data
    output.data(found, () => {
      const { event, denominator, figures } = found
      for (const each of [event, denominator])
        if (each)
          output.details([
            ['Event', each.eventKey],
            ['Last event', each.lastAt === null ? 'none in 30 days' : shownTime(each.lastAt)],
            ['In 30 days', each.days.reduce((sum, { events }) => sum + events, 0)],
          ])
      if (!event) output.line('This metric counts orders. See: svc order list')
      output.details([
        ['Value in tests', figures ? `${figures.baseline} of ${counted(figures.units, 'visitor')}` : 'not measured'],
      ])
      if (!event) return
      output.line()
      output.rows(
        [
          { head: 'DAY', cell: ({ day }) => day },
          { head: 'EVENTS', cell: ({ events }) => events, right: true },
          { head: 'VALUES', cell: ({ valued, valueSum }) => (valued > 0 ? valueSum : ''), right: true },
        ],
        event.days.filter(({ events }) => events > 0),
        'No event has arrived.',
      )
    })
  },
})

export const metric: Group = {
  name: 'metric',
  summary: 'What A/B tests compare.',
  commands: [...ofEvery, activity],
}
