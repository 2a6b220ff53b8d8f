import type { Data } from '@svc/client'
import { idCalled } from '../called.ts'
import { command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { shownTime } from '../terminal/times.ts'
import { wholeNumber } from '../values/option-values.ts'
import { basisPoints } from '../values/shares.ts'

const itemPath = '/api/v1/projects/{projectId}/recommendations/placements/{placementId}'

type Placement = Data<typeof itemPath, 'get'>

const options = {
  limit: { value: 'NUMBER', about: 'The most products of a list.' },
  strategy: {
    value: 'NAME',
    many: true,
    about: 'What fills the list, in this order. Replaces all variants by `default` with these strategies.',
  },
  history: { value: 'ANSWER', about: 'Whether lists use what the service knows of a visitor.', choices: ['yes', 'no'] },
  preorder: { value: 'ANSWER', about: 'Whether items in PREORDER and BACKORDER are shown.', choices: ['yes', 'no'] },
} as const

const preview = command({
  name: 'placement preview',
  summary: 'Show what a page would get, and why each other candidate is not in the list.',
  args: ['KEY'],
  keys: { KEY: 'placement' },
  options: {
    variant: { value: 'NAME', about: 'The variant. Default: default.' },
    product: { value: 'ID', many: true, about: 'A product that the page shows.' },
    seen: { value: 'ID', many: true, about: 'A product that the visitor has seen, the latest first.' },
  },
  examples: ['svc placement preview product-page --product G17', 'svc placement preview home --seen G17 --seen G4'],
  async run({ args, options: { variant, product, seen }, session }) {
    const { connection, project, output } = session
    const placementId = await idCalled(session, 'placement', args.KEY)
    const { data } = await connection.api.POST(`${itemPath}/preview`, {
      params: { path: { projectId: project, placementId } },
      body: {
        ...(variant !== undefined && { variant }),
        ...(product && { productIds: product }),
        ...(seen && { recent: seen.map((productId) => ({ productId })) }),
      },
    })
    const { items, candidates } = data!.data
    const titles = new Map(items.map(({ productId, product: { title } }) => [productId, title]))
    output.data(data!.data, () =>
      output.rows(
        [
          { head: 'PRODUCT', cell: ({ productId }) => productId },
          { head: 'STRATEGY', cell: ({ strategy }) => strategy },
          { head: 'SCORE', cell: ({ score }) => score.toPrecision(4), right: true },
          { head: 'SHOWN', cell: ({ reason }) => reason ?? 'yes' },
          { head: 'TITLE', cell: ({ productId }) => titles.get(productId) },
        ],
        candidates,
        'No strategy has a product.',
      ),
    )
  },
})

const measure = command({
  name: 'placement measure',
  summary: 'Measure what a placement brings: make its flag and an experiment, and launch it.',
  args: ['KEY'],
  keys: { KEY: 'placement' },
  options: {
    control: { value: 'SHARE', about: 'The share of visitors who get no recommendations, 1% to 50%. Default: 5%.' },
  },
  examples: ['svc placement measure product-page --control 10%'],
  async run({ args, options: { control }, session }) {
    const { connection, project, output } = session
    const placementId = await idCalled(session, 'placement', args.KEY)
    const { data } = await connection.api.POST(`${itemPath}/measure`, {
      params: { path: { projectId: project, placementId } },
      body: control === undefined ? {} : { controlShare: basisPoints(control, '--control') },
    })
    const { key } = data!.data
    output.wrote(data!.data, `The flag recommend-${key} decides who gets the recommendations of ${key}.`)
  },
})

export const placement: Group = {
  name: 'placement',
  summary: 'Where a shop shows recommendations, and how each list is made.',
  commands: [
    ...objectCommands<Placement, typeof options, Record<never, never>>({
      of: 'placement',
      summaries: {
        list: 'List the placements of a project.',
        get: 'Show a placement.',
        create: 'Create a placement.',
        set: 'Change a placement.',
        delete: 'Delete a placement. Pages that ask for it get no products.',
      },
      about: 'Filters, boosts, caps, pins and further variants are fields of --file.',
      isNamed: true,
      examples: ['svc placement create --name "Product page" --strategy BOUGHT_TOGETHER --strategy POPULAR --limit 8'],
      options,
      later: {},
      fields: ({ limit, strategy, history, preorder }) => ({
        ...(limit !== undefined && { limit: wholeNumber(limit, '--limit') }),
        ...(strategy && { variants: { default: { strategies: strategy } } }),
        ...(history !== undefined && { history: history === 'yes' }),
        ...(preorder !== undefined && { includePreorder: preorder === 'yes' }),
      }),
      columns: () => [
        { head: 'KEY', cell: ({ key }) => key },
        { head: 'NAME', cell: ({ name }) => name },
        { head: 'LIMIT', cell: ({ limit }) => limit, right: true },
        { head: 'VARIANTS', cell: ({ variants }) => Object.keys(variants).join(', ') },
        { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
      ],
      details: (found) => [
        ['Key', found.key],
        ['Name', found.name],
        ['Limit', found.limit],
        ['History', found.history ? 'yes' : 'no'],
        ['Preorder', found.includePreorder ? 'yes' : 'no'],
        ...Object.entries(found.variants).map(
          ([name, { strategies }]) => [`Variant ${name}`, strategies.join(', ') || 'no strategies'] as const,
        ),
        ['Measured', measured(found, 'revenue')],
        ['Measured margin', measured(found, 'margin')],
        ['Updated', shownTime(found.updatedAt)],
      ],
    }),
    preview,
    measure,
  ],
}

/** The incremental revenue or margin with its interval. */
function measured({ measurement }: Placement, what: 'revenue' | 'margin'): string | null {
  const of = what === 'revenue' ? measurement?.incrementalRevenue : measurement?.margin?.incremental
  if (!measurement || !of) return null
  const { currency } = measurement
  const amount = (value: number): string => `${value.toFixed(2)} ${currency ?? ''}`.trimEnd()
  return `${amount(of.estimate)}, between ${amount(of.ciLow)} and ${amount(of.ciHigh)}`
}
