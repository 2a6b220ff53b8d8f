import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { TextLink } from '../../../ui/links/links.tsx'
import type { SwitchAction } from '../../../ui/status/live-switch.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { statusOf, typeWords } from '../../../ui/status/status-words.ts'
import type { GridColumn } from '../../../ui/table/grid-parts.tsx'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { byRunning, evaluatedAt, type IndexedEnvironment, type IndexedFlag } from './flag-filter.ts'
import classes from './flags-page.module.css'
import { staleWords } from './stale-words.ts'
import { SwitchInEnvironment } from './switch-in-environment.tsx'

interface FlagColumns {
  params: { org: string; project: string }
  environments: readonly IndexedEnvironment[]
  pinned: readonly IndexedEnvironment[]
  asked: { flag: string; action: SwitchAction } | undefined
  onAsk: (asked: { flag: string; action: SwitchAction } | undefined) => void
  /** Shows the flag in all environments. */
  onMore: (flag: string) => void
}

/** Environments that have a column in windows of every width. */
const alwaysShown = 2

export function flagColumns({
  params,
  environments,
  pinned,
  asked,
  onAsk,
  onMore,
}: FlagColumns): GridColumn<IndexedFlag>[] {
  return [
    {
      key: 'name',
      title: 'Flag',
      width: 'minmax(14rem, 3fr)',
      sorts: true,
      cell: (flag) => <Name flag={flag} params={params} />,
    },
    ...pinned.map(
      (environment, at): GridColumn<IndexedFlag> => ({
        key: byRunning(environment.key),
        sorts: true,
        title: environment.name,
        width: 'minmax(7rem, 1.4fr)',
        ...(at >= alwaysShown && { isNotInCards: true as const, isWide: true as const }),
        cell: (flag) => (
          <SwitchInEnvironment
            flag={flag}
            environment={environment}
            state={flag.states[environments.indexOf(environment)] ?? {}}
            asked={at === 0 && asked?.flag === flag.key ? asked.action : undefined}
            onAsk={(action) => onAsk(action && { flag: flag.key, action })}
          />
        ),
      }),
    ),
    ...(environments.length > alwaysShown
      ? [
          {
            key: 'more',
            title: 'All',
            width: '3.25rem',
            cell: ({ key, name }: IndexedFlag) => (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`All environments of ${name}`}
                title="All environments"
                onClick={() => onMore(key)}
              >
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            ),
          },
        ]
      : []),
    ...whenColumns,
  ]
}

/** When it was last evaluated and edited. */
const whenColumns: GridColumn<IndexedFlag>[] = [
  {
    key: 'evaluated',
    title: 'Evaluated',
    width: '7.5rem',
    sorts: true,
    isWide: true,
    isNotInCards: true,
    cell: (flag) => {
      const at = evaluatedAt(flag)
      return at === undefined ? <span className={classes.never}>never</span> : <Time time={at} />
    },
  },
  {
    key: 'updated',
    title: 'Edited',
    width: '7.5rem',
    sorts: true,
    isWide: true,
    isNotInCards: true,
    cell: ({ updatedAt, updatedBy }) => (
      <span className={classes.edited}>
        {updatedBy && <span className={classes.editor}>{updatedBy}</span>}
        <Time time={updatedAt} />
      </span>
    ),
  },
]

function Name({ flag, params }: { flag: IndexedFlag; params: FlagColumns['params'] }) {
  const { tone, words } = statusOf('flag', flag.status)
  const now = useNow()
  return (
    <div className={classes.name}>
      <span className={classes.first}>
        <TextLink
          className={classes.title}
          to="/$org/$project/flags/$flag"
          params={{ ...params, flag: flag.key }}
          fw={600}
        >
          {flag.name}
        </TextLink>
        {flag.states.some(({ abTest }) => abTest) && <span className={classes.test}>{typeWords.AB_TEST}</span>}
        {(flag.status === 'DRAFT' || flag.status === 'ARCHIVED') && <StatusBadge tone={tone}>{words}</StatusBadge>}
        {flag.stale && <StatusBadge tone="warning">{staleWords(evaluatedAt(flag), flag.updatedAt, now)}</StatusBadge>}
      </span>
      <span className={classes.second}>
        <span className={classes.key}>{flag.key}</span>
        {flag.tags.length > 0 && <span className={classes.tags}>{flag.tags.join(', ')}</span>}
      </span>
    </div>
  )
}
