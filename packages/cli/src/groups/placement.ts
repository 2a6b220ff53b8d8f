import type { Data } from '@svc/client'
import type { Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { shownTime } from '../terminal/times.ts'
import { wholeNumber } from '../values/option-values.ts'

type Placement = Data<'/api/v1/projects/{projectId}/recommendations/placements/{placementId}', 'get'>

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

export const placement: Group = {
  name: 'placement',
  summary: 'Where a shop shows recommendations, and how each list is made.',
  commands: objectCommands<Placement, typeof options, Record<never, never>>({
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
      ['Updated', shownTime(found.updatedAt)],
    ],
  }),
}
