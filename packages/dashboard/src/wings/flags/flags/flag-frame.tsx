import { Code, Group, Stack } from '@mantine/core'
import { ApiError } from '@svc/client'
import { IconFlagQuestion } from '@tabler/icons-react'
import { Navigate, useLocation, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { usePlace } from '../../../shell/place.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageTabs } from '../../../ui/page-tabs.tsx'
import { Status, StatusBadge } from '../../../ui/status-badge.tsx'
import { typeWords } from '../../../ui/status-words.ts'
import type { Versioned } from '../../../versioned.ts'
import { type Flag, useFlag } from './flag-queries.ts'
import { nearKeys } from './near-keys.ts'

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
  if (isGone && !query.data) return <NoFlag flagKey={key} />
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
        to={pathname.endsWith('/settings') ? '/$org/$project/flags/$flag/settings' : '/$org/$project/flags/$flag'}
        params={{ ...params, flag: flag.key }}
        search={true}
        replace
      />
    )
  return (
    <Page
      title={flag.name}
      description={
        <Group component="span" gap="xs">
          <Code>{flag.key}</Code>
          <CopyButton text={flag.key} label="Copy" what="the key" size="xs" />
          <Status of="flag" value={flag.status} />
          {flag.stale && <StatusBadge tone="warning">Stale</StatusBadge>}
          <span>{typeWords[flag.type]}</span>
          {flag.tags.map((tag) => (
            <StatusBadge key={tag} tone="note">
              {tag}
            </StatusBadge>
          ))}
        </Group>
      }
      actions={actions}
    >
      {isGone && (
        <Notice tone="bad" title="This flag was deleted" says="politely">
          You still see its last known state. Nothing here can be saved.
        </Notice>
      )}
      <PageTabs label="Flag">
        <TextLink
          to="/$org/$project/flags/$flag"
          params={{ ...params, flag: flag.key }}
          search={keepEnvironment}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          Targeting
        </TextLink>
        <TextLink
          to="/$org/$project/flags/$flag/settings"
          params={{ ...params, flag: flag.key }}
          search={keepEnvironment}
          activeOptions={{ includeSearch: false }}
        >
          Settings
        </TextLink>
      </PageTabs>
      <Stack gap="md">{children(query.data)}</Stack>
    </Page>
  )
}

const keepEnvironment = ({ env }: { env?: string }) => (env === undefined ? {} : { env })

function NoFlag({ flagKey }: { flagKey: string }) {
  const { params, project } = usePlace()
  const { data } = useProjectIndex()
  const near = nearKeys(flagKey, data?.flags ?? [])
  return (
    <Page title="Flag not found">
      <EmptyState
        icon={<IconFlagQuestion size={36} />}
        title={`No flag “${flagKey}” in ${project.name}`}
        action={
          <TextLink to="/$org/$project/flags" params={params}>
            All flags
          </TextLink>
        }
      >
        {near.length === 0 ? (
          'The address may be wrong, or the flag was deleted.'
        ) : (
          <>
            Did you mean{' '}
            {near.map(({ key, name }, at) => (
              <span key={key}>
                {at > 0 && ', '}
                <TextLink to="/$org/$project/flags/$flag" params={{ ...params, flag: key }} underline="always">
                  {name}
                </TextLink>
              </span>
            ))}
            ?
          </>
        )}
      </EmptyState>
    </Page>
  )
}
