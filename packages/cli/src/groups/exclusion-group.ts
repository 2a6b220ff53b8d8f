import type { Data } from '@svc/client'
import type { Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { shownTime } from '../terminal/times.ts'
import { basisPoints, percent } from '../values/shares.ts'

type ExclusionGroup = Data<'/api/v1/projects/{projectId}/exclusion-groups/{groupId}', 'get'>

const slot = {
  slot: { value: 'SHARE', about: 'The share of the visitors that each test gets, such as 25%.' },
} as const

export const exclusionGroup: Group = {
  name: 'exclusion-group',
  summary: 'A/B tests that share no visitor.',
  commands: objectCommands<ExclusionGroup, typeof slot, Record<never, never>>({
    of: 'exclusion_group',
    summaries: {
      list: 'List the exclusion groups of a project.',
      get: 'Show an exclusion group.',
      create: 'Create an exclusion group. Default slot: 25%.',
      set: 'Change an exclusion group. The slot size is fixed while tests have slots.',
      delete: 'Delete an exclusion group that no rule is in.',
    },
    isNamed: true,
    examples: ['svc exclusion-group create --name Checkout --slot 50%'],
    options: slot,
    later: {},
    fields: (options) => (options.slot === undefined ? {} : { slotSize: basisPoints(options.slot, '--slot') }),
    columns: () => [
      { head: 'KEY', cell: ({ key }) => key },
      { head: 'NAME', cell: ({ name }) => name },
      { head: 'SLOT', cell: ({ slotSize }) => percent(slotSize), right: true },
      { head: 'TESTS', cell: ({ slots }) => slots.length, right: true },
      { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
    ],
    details: (found) => [
      ['Key', found.key],
      ['Name', found.name],
      ['Slot', percent(found.slotSize)],
      ['Tests', found.slots.length],
      ['Updated', shownTime(found.updatedAt)],
    ],
  }),
}
