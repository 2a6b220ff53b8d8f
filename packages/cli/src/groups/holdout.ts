import type { Data } from '@svc/client'
import type { Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { shownTime } from '../terminal/times.ts'
import { basisPoints, percent } from '../values/shares.ts'

type Holdout = Data<'/api/v1/projects/{projectId}/holdouts/{holdoutId}', 'get'>

const share = {
  share: { value: 'SHARE', about: 'The share of the visitors who stay out, up to 20%.' },
} as const
const archived = {
  archived: { value: 'yes|no', about: 'Archive it: new tests cannot use it.', choices: ['yes', 'no'] },
} as const

export const holdout: Group = {
  name: 'holdout',
  summary: 'Visitors who stay out of A/B tests.',
  commands: objectCommands<Holdout, typeof share, typeof archived>({
    of: 'holdout',
    summaries: {
      list: 'List the holdouts of a project.',
      get: 'Show a holdout.',
      create: 'Create a holdout.',
      set: 'Change a holdout. Its share is fixed once a rule has used it.',
      delete: 'Delete a holdout that no rule has used.',
    },
    isNamed: true,
    examples: ['svc holdout create --name "Of the year" --share 5%'],
    options: share,
    later: archived,
    fields: (options) => ({
      ...(options.share !== undefined && { share: basisPoints(options.share, '--share') }),
      ...(options.archived !== undefined && { archived: options.archived === 'yes' }),
    }),
    columns: () => [
      { head: 'KEY', cell: ({ key }) => key },
      { head: 'NAME', cell: ({ name }) => name },
      { head: 'SHARE', cell: (each) => percent(each.share), right: true },
      { head: 'ARCHIVED', cell: (each) => (each.archived ? 'yes' : 'no') },
      { head: 'RULES', cell: ({ usedBy }) => usedBy.length, right: true },
      { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
    ],
    details: (found) => [
      ['Key', found.key],
      ['Name', found.name],
      ['Share', percent(found.share)],
      ['Archived', found.archived ? 'yes' : 'no'],
      ['Rules', found.usedBy.length],
      ['Updated', shownTime(found.updatedAt)],
    ],
  }),
}
