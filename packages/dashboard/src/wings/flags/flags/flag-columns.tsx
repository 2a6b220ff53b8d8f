import { TextLink } from '../../../ui/links.tsx'
import { counted } from '../../../ui/lists.ts'
import type { SwitchAction } from '../../../ui/live-switch.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { statusOf } from '../../../ui/status-words.ts'
import { Time } from '../../../ui/time.tsx'
import type { GridColumn } from '../../../ui/virtual-table.tsx'
import { FlagSwitch } from '../switches/flag-switch.tsx'
import { evaluatedAt, type IndexedEnvironment, type IndexedFlag } from './flag-filter.ts'
import classes from './flags-page.module.css'

interface FlagColumns {
  params: { org: string; project: string }
  environments: readonly IndexedEnvironment[]
  pinned: readonly IndexedEnvironment[]
  asked: { flag: string; action: SwitchAction } | undefined
  onAsk: (asked: { flag: string; action: SwitchAction } | undefined) => void
}

export function flagColumns({ params, environments, pinned, asked, onAsk }: FlagColumns): GridColumn<IndexedFlag>[] {
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
        key: environment.id,
        title: environment.name,
        width: 'minmax(7rem, 1.4fr)',
        ...(at > 1 && { isNotInCards: true as const }),
        ...(at > 1 && { isWide: true as const }),
        cell: (flag) => (
          <Switch
            flag={flag}
            environment={environment}
            state={flag.states[environments.indexOf(environment)] ?? {}}
            asked={at === 0 && asked?.flag === flag.key ? asked.action : undefined}
            onAsk={(action) => onAsk(action && { flag: flag.key, action })}
          />
        ),
      }),
    ),
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
}

function Name({ flag, params }: { flag: IndexedFlag; params: FlagColumns['params'] }) {
  const { tone, words } = statusOf('flag', flag.status)
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
        {(flag.status === 'DRAFT' || flag.status === 'ARCHIVED') && <StatusBadge tone={tone}>{words}</StatusBadge>}
        {flag.stale && <StatusBadge tone="warning">Stale</StatusBadge>}
      </span>
      <span className={classes.second}>
        <span className={classes.key}>{flag.key}</span>
        {flag.tags.length > 0 && <span className={classes.tags}>{flag.tags.join(', ')}</span>}
      </span>
    </div>
  )
}

interface SwitchProps {
  flag: IndexedFlag
  environment: IndexedEnvironment
  state: IndexedFlag['states'][number]
  asked: SwitchAction | undefined
  onAsk: (action: SwitchAction | undefined) => void
}

function Switch({ flag, environment, state, asked, onAsk }: SwitchProps) {
  const unpublished = state.unpublished ?? 0
  const changes = `${counted(unpublished, 'unpublished change')}`
  return (
    <FlagSwitch
      flag={flag}
      environment={environment}
      isRunning={state.running === true}
      isArchived={flag.status === 'ARCHIVED'}
      isFirstRun={state.firstRun === true}
      asked={asked}
      onAsk={onAsk}
      consequence={{
        pause: (
          <>
            Every visitor in {environment.name} gets the default of this flag. Its rules stop serving.
            {state.scheduled && ' Its schedule is suspended.'}
          </>
        ),
        run: state.firstRun ? (
          <>The flag starts in {environment.name}, and its draft is published there.</>
        ) : unpublished > 0 ? (
          <>
            Visitors in {environment.name} get what is published. {changes} {unpublished === 1 ? 'stays' : 'stay'}{' '}
            unpublished.
          </>
        ) : (
          <>The rules of this flag serve in {environment.name}.</>
        ),
      }}
    >
      {state.scheduled ? (
        <span className={classes.note}>
          {state.scheduled.action === 'RUN' ? 'runs' : 'pauses'} <Time time={state.scheduled.runAt} />
        </span>
      ) : (
        unpublished > 0 && <span className={classes.unpublished}>{unpublished.toLocaleString('en')} unpublished</span>
      )}
    </FlagSwitch>
  )
}
