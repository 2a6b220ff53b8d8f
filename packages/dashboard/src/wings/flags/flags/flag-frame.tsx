import { Code, Group, Stack } from '@mantine/core'
import { ApiError } from '@svc/client'
import { Navigate, useLocation, useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { LastChange, Readable } from '../../../shell/deleted.tsx'
import { usePlace } from '../../../shell/place.ts'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { PageTabs } from '../../../ui/layout/page-tabs.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { typeWords } from '../../../ui/status/status-words.ts'
import { Time, useNow } from '../../../ui/time/time.tsx'
import type { Versioned } from '../../../versioned.ts'
import classes from './flag-frame.module.css'
import { type Flag, useFlag } from './flag-queries.ts'
import { runningWords } from './running-words.ts'
import { staleWords } from './stale-words.ts'

const Tickets = lazy(() => import('../../../shell/tickets.tsx'))
const NoFlag = lazy(async () => ({ default: (await import('./no-flag.tsx')).NoFlag }))

interface FlagFrameProps {
  actions?: ReactNode
  children: (flag: Versioned<Flag>) => ReactNode
}

/** What the tabs of a flag share: its name, key and state, and what is shown if there is no such flag. */
export function FlagFrame({ actions, children }: FlagFrameProps) {
  const { flag: key } = useParams({ strict: false }) as { flag: string }
  const { params } = usePlace()
  const pathname = useLocation({ select: (location) => location.pathname })
  const query = useFlag(key)
  const isGone = query.error instanceof ApiError && query.error.status === 404
  if (isGone && !query.data)
    return (
      <Suspense>
        <NoFlag flagKey={key} />
      </Suspense>
    )
  if (!query.data)
    return (
      <Page title={key}>
        <Loaded query={query} lines={6}>
          {() => null}
        </Loaded>
      </Page>
    )
  const flag = query.data.content
  // An address with the id or the short number, or with a key from before.
  if (flag.key !== key && !isGone)
    return (
      <Navigate
        to={(tabs.find(({ to }) => pathname.endsWith(to.slice(to.lastIndexOf('/')))) ?? tabs[0]).to}
        params={{ ...params, flag: flag.key }}
        search={true}
        replace
      />
    )
  return (
    <Readable kind="flag" id={flag.id} isDeleted={isGone}>
      <Page title={flag.name} part={partOf(pathname)} description={<About flag={flag} />} actions={!isGone && actions}>
        <Suspense>
          <Tickets about={flag.id} />
        </Suspense>
        <FlagTabs flag={flag} />
        <Stack gap="md">{children(query.data)}</Stack>
      </Page>
    </Readable>
  )
}

/** Its key, its state and its type; what it is for; who looks after it, and since when. */
function About({ flag }: { flag: Flag }) {
  const { description, owner, createdAt } = flag
  return (
    <>
      <Group component="span" gap="xs">
        <Code>{flag.key}</Code>
        <CopyButton text={flag.key} label="Copy" what="the key" size="xs" />
        <Running flag={flag} />
        {flag.stale && <Stale flag={flag} />}
        <span>{typeWords[flag.type]}</span>
        {flag.tags.map((tag) => (
          <StatusBadge key={tag} tone="note">
            {tag}
          </StatusBadge>
        ))}
        <LastChange kind="flag" id={flag.id} />
      </Group>
      {description !== null && (
        <span className={classes.description}>
          <bdi>{description}</bdi>
        </span>
      )}
      <Group component="span" gap="xs">
        <span>
          Owner: {owner ? <bdi>{owner.name}</bdi> : 'nobody'}
          {owner?.left && ', who has left'}
        </span>
        <span>
          Created <Time time={createdAt} />
        </span>
        <span>
          Last evaluated <Time time={evaluatedAt(flag)} never="never" />
        </span>
      </Group>
    </>
  )
}

function Running({ flag: { status, environments } }: { flag: Flag }) {
  const { tone, words } = runningWords(status, environments)
  return <StatusBadge tone={tone}>{words}</StatusBadge>
}

const Stale = ({ flag }: { flag: Flag }) => (
  <StatusBadge tone="warning">{staleWords(evaluatedAt(flag), flag.updatedAt, useNow())}</StatusBadge>
)

/** When it was last evaluated in any environment. */
const evaluatedAt = ({ environments }: Flag): string | null =>
  environments
    .flatMap((each) => each.lastEvaluatedAt ?? [])
    .sort()
    .at(-1) ?? null

const tabs = [
  { to: '/$org/$project/flags/$flag', words: 'Targeting', isExact: true },
  { to: '/$org/$project/flags/$flag/results', words: 'Results' },
  { to: '/$org/$project/flags/$flag/history', words: 'History' },
  { to: '/$org/$project/flags/$flag/compare', words: 'Compare' },
  { to: '/$org/$project/flags/$flag/settings', words: 'Settings' },
] as const

/** The tab of an address, for the title of the document. Targeting is the page of the flag itself. */
const partOf = (pathname: string): string | undefined =>
  tabs.find(({ to, ...tab }) => !('isExact' in tab) && pathname.endsWith(to.slice(to.lastIndexOf('/'))))?.words

const keepEnvironment = ({ env }: { env?: string }) => (env === undefined ? {} : { env })

function FlagTabs({ flag }: { flag: Flag }) {
  const { params } = usePlace()
  return (
    <PageTabs label="Flag">
      {tabs.map(({ to, words, ...tab }) => (
        <TextLink
          key={to}
          to={to}
          params={{ ...params, flag: flag.key }}
          search={keepEnvironment}
          activeOptions={{ exact: 'isExact' in tab, includeSearch: false }}
        >
          {words}
        </TextLink>
      ))}
    </PageTabs>
  )
}
