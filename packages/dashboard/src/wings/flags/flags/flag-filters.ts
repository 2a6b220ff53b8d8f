import { statusOf, typeWords } from '../../../ui/status/status-words.ts'
import type { Filter } from '../../../ui/table/filters.ts'
import type { FilterKey, IndexedEnvironment, IndexedFlag, IndexedOwner } from './flag-filter.ts'

const unusedDays = [7, 30, 90]

/** What the list can be filtered by. Tags are those that flags of the project have. */
export function filtersOf(
  flags: readonly IndexedFlag[],
  environments: readonly IndexedEnvironment[],
  owners: readonly IndexedOwner[],
): (Filter & { key: FilterKey })[] {
  const tags = [...new Set(flags.flatMap(({ tags }) => tags))].sort((one, other) => one.localeCompare(other, 'en'))
  const places = environments.map(({ key, name }) => ({ value: key, label: name }))
  const statuses = ['RUNNING', 'PAUSED', 'DRAFT', 'ARCHIVED'] as const
  return [
    {
      key: 'status',
      label: 'Status',
      options: statuses.map((value) => ({ value, label: statusOf('flag', value).words })),
    },
    {
      key: 'type',
      label: 'Type',
      options: ['BOOLEAN', 'STRING', 'NUMBER', 'JSON'].map((value) => ({ value, label: typeWords[value] ?? value })),
    },
    ...(tags.length > 0
      ? [{ key: 'tag' as const, label: 'Tag', options: tags.map((tag) => ({ value: tag, label: tag })) }]
      : []),
    {
      key: 'owner',
      label: 'Owner',
      options: [
        ...owners.map(({ id, name, left }) => ({ value: id, label: left ? `${name}, who has left` : name })),
        { value: 'none', label: 'Nobody' },
      ],
    },
    { key: 'running', label: 'Running in', options: places },
    { key: 'paused', label: 'Paused in', options: places },
    { key: 'unpublished', label: 'Unpublished in', options: places },
    { key: 'scheduled', label: 'Scheduled in', options: places },
    {
      key: 'use',
      label: 'Use',
      options: [
        { value: 'stale', label: 'Stale' },
        ...unusedDays.map((days) => ({ value: `unused-${days}`, label: `Not evaluated for ${days} days` })),
      ],
    },
  ]
}
