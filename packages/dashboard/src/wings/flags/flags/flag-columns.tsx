import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { TextLink } from '../../../ui/links/links.tsx'
import type { SwitchAction } from '../../../ui/status/live-switch.tsx'
import { statusOf, typeWords } from '../../../ui/status/status-words.ts'
import type { GridColumn } from '../../../ui/table/grid-parts.tsx'
import { Time, useNow } from '../../../ui/time/time.tsx'
import { byRunning, evaluatedAt, type IndexedEnvironment, type IndexedFlag, type IndexedOwner } from './flag-filter.ts'
import classes from './flags-page.module.css'
import { staleWords } from './stale-words.ts'
import { SwitchInEnvironment } from './switch-in-environment.tsx'

interface FlagColumns {
  params: { org: string; project: string }
  environments: readonly IndexedEnvironment[]
  pinned: readonly IndexedEnvironment[]
  owners: readonly IndexedOwner[]
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
  owners,
  asked,
  onAsk,
  onMore,
}: FlagColumns): GridColumn<IndexedFlag>[] {
  return [
    {
      key: 'name',
      title: 'Flag',
      width: 'minmax(13rem, 3fr)',
      sorts: true,
      cell: (flag) => <Name flag={flag} params={params} />,
    },
    ...pinned.map(
      (environment, at): GridColumn<IndexedFlag> => ({
        key: byRunning(environment.key),
        sorts: true,
        title: environment.name,
        width: 'minmax(8.5rem, 1.6fr)',
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
            width: '2rem',
            isInCorner: true as const,
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
    ownerColumn(owners),
    ...whenColumns,
  ]
}

function ownerColumn(owners: readonly IndexedOwner[]): GridColumn<IndexedFlag> {
  const byId = new Map(owners.map((owner) => [owner.id, owner]))
  return {
    key: 'owner',
    title: 'Owner',
    width: 'minmax(5rem, 0.9fr)',
    isWide: true,
    isNotInCards: true,
    cell: ({ owner }) => {
      const found = byId.get(owner ?? '')
      return (
        found && (
          <span {...(found.left && { className: classes.never })}>
            {found.left ? `${found.name}, left` : found.name}
          </span>
        )
      )
    },
  }
}

/** When it was last evaluated and edited. */
const whenColumns: GridColumn<IndexedFlag>[] = [
  {
    key: 'evaluated',
    title: 'Evaluated',
    width: '7rem',
    sorts: true,
    isWide: true,
    isNotInCards: true,
    cell: (flag) => {
      const at = evaluatedAt(flag)
      return at === undefined ? <span className={classes.never}>{neverWords(flag)}</span> : <Time time={at} />
    },
  },
  {
    key: 'updated',
    title: 'Edited',
    width: '7rem',
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

/** A flag that was never run needs no further reason. */
const neverWords = ({ status }: IndexedFlag): string => (status === 'DRAFT' ? 'Not started' : 'Never')

function Name({ flag, params }: { flag: IndexedFlag; params: FlagColumns['params'] }) {
  const now = useNow()
  return (
    <div className={classes.name}>
      <TextLink
        className={classes.title}
        to="/$org/$project/flags/$flag"
        params={{ ...params, flag: flag.key }}
        fw={600}
      >
        <bdi>{flag.name}</bdi>
      </TextLink>
      <span className={classes.second}>
        {flag.status === 'ARCHIVED' && <span>{statusOf('flag', 'ARCHIVED').words}</span>}
        {flag.stale && <span className={classes.stale}>{staleWords(evaluatedAt(flag), flag.updatedAt, now)}</span>}
        {flag.states.some(({ abTest }) => abTest) && <span>{typeWords.AB_TEST}</span>}
        <span className={classes.key}>{flag.key}</span>
        {flag.tags.length > 0 && <span className={classes.tags}>{flag.tags.join(', ')}</span>}
      </span>
    </div>
  )
}
