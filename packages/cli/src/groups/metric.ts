import type { Data } from '@svc/client'
import type { Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'

type Metric = Data<'/api/v1/projects/{projectId}/metrics/{metricId}', 'get'>
type NoOptions = Record<never, never>

const better = ({ direction }: Metric): string => (direction === 'INCREASE' ? 'more' : 'less')

export const metric: Group = {
  name: 'metric',
  summary: 'What A/B tests compare.',
  commands: objectCommands<Metric, NoOptions, NoOptions>({
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
    ],
    options: {},
    later: {},
    fields: () => ({}),
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
      ['Value from', found.valueFrom],
      ['Divided by', found.denominator?.eventKey],
      ['Better', better(found)],
      ['Unit', found.unit],
      ['Window', `${found.conversionWindowHours} h`],
      ['Rules', found.usedBy.length],
    ],
  }),
}
