import type { Data } from '@svc/client'
import type { Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'

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

export const metric: Group = {
  name: 'metric',
  summary: 'What A/B tests compare.',
  commands: objectCommands<Metric, typeof triggerOptions, NoOptions>({
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
  }),
}
