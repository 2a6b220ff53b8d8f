import type { components } from '@svc/client'
import { command, type Group } from '../command.ts'
import { etagOf } from '../etag.ts'
import { fieldOptions, fieldsOf } from '../field-options.ts'
import { limitOption, wholeNumber } from '../option-values.ts'
import { allOf } from '../pages.ts'
import type { Session } from '../session.ts'

const listPath = '/api/v1/projects/{projectId}/metrics'
const itemPath = `${listPath}/{metricId}` as const
const keys = { KEY: 'metric' } as const
// A metric has no description.
const { description: _description, ...fields } = fieldOptions

const list = command({
  name: 'metric list',
  summary: 'List the metrics of a project.',
  watch: true,
  options: limitOption,
  async run({ options, session }) {
    const { project, connection, output } = session
    const metrics = await allOf(
      (query) => connection.api.GET(listPath, { params: { path: { projectId: project }, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(metrics, () =>
      output.rows(
        [
          { head: 'KEY', cell: ({ key }) => key },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'TYPE', cell: ({ type }) => type },
          { head: 'EVENT', cell: ({ eventKey }) => eventKey },
          { head: 'BETTER', cell: ({ direction }) => (direction === 'INCREASE' ? 'more' : 'less') },
          { head: 'RULES', cell: ({ usedBy }) => usedBy.length, right: true },
        ],
        metrics,
        'The project has no metric.',
      ),
    )
  },
})

const get = command({
  name: 'metric get',
  summary: 'Show a metric.',
  watch: true,
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { metric } = await read(session, args.KEY)
    session.output.data(metric, () =>
      session.output.details([
        ['Key', metric.key],
        ['Name', metric.name],
        ['Type', metric.type],
        ['Event', metric.eventKey],
        ['Value from', metric.valueFrom],
        ['Divided by', metric.denominator?.eventKey],
        ['Better', metric.direction === 'INCREASE' ? 'more' : 'less'],
        ['Unit', metric.unit],
        ['Window', `${metric.conversionWindowHours} h`],
        ['Rules', metric.usedBy.length],
      ]),
    )
  },
})

const create = command({
  name: 'metric create',
  summary: 'Create a metric.',
  options: fields,
  examples: [
    `echo '{ "key": "order_paid", "name": "Paid orders", "type": "PROPORTION", "eventKey": "order_paid" }' | svc metric create -f -`,
  ],
  async run({ options, session }) {
    const { data } = await session.connection.api.POST(listPath, {
      params: { path: { projectId: session.project } },
      body: (await fieldsOf(session, options)) as components['schemas']['CreateMetricBody'],
    })
    session.output.wrote(data!.data, `The metric ${data!.data.key} is created.`)
  },
})

const set = command({
  name: 'metric set',
  summary: 'Change a metric.',
  args: ['KEY'],
  keys,
  options: fields,
  async run({ args, options, session }) {
    const body = await fieldsOf(session, options)
    const { metric, etag } = await read(session, args.KEY)
    const { data } = await session.connection.api.PATCH(itemPath, {
      params: { path: { projectId: session.project, metricId: metric.id }, header: { 'x-svc-if-match': etag } },
      body,
    })
    session.output.wrote(data!.data, `The metric ${data!.data.key} is changed.`)
  },
})

const remove = command({
  name: 'metric delete',
  summary: 'Delete a metric that no rule uses.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { metric, etag } = await read(session, args.KEY)
    await session.prompt.confirm(`Delete the metric ${metric.key}?`)
    await session.connection.api.DELETE(itemPath, {
      params: { path: { projectId: session.project, metricId: metric.id }, header: { 'x-svc-if-match': etag } },
    })
    session.output.wrote(null, `The metric ${metric.key} is deleted.`)
  },
})

export const metric: Group = {
  name: 'metric',
  summary: 'What A/B tests compare.',
  commands: [list, get, create, set, remove],
}

async function read({ connection, project }: Session, metricId: string) {
  const { data, response } = await connection.api.GET(itemPath, { params: { path: { projectId: project, metricId } } })
  return { metric: data!.data, etag: etagOf(response) }
}
