import { useParams } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { Readable } from '../../../shell/deleted.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { ToConnect } from '../../../shell/subject.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { PageTabs } from '../../../ui/layout/page-tabs.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { useReviewWords } from '../publishing/review-words.ts'
import { ConnectionWords } from './connection-words.tsx'
import { EnvironmentOverview } from './environment-overview.tsx'
import { NoEnvironment } from './no-environment.tsx'

/** One environment: its settings, its SDK key, and how to delete it. */
export function EnvironmentPage() {
  return (
    <EnvironmentFrame tab="Overview">
      {(environment) => <EnvironmentOverview environment={environment} />}
    </EnvironmentFrame>
  )
}

interface FrameProps {
  tab: 'Overview' | 'Clients' | 'History'
  children: (environment: Environment) => ReactNode
}

/** Around the tabs of an environment. */
export function EnvironmentFrame({ tab, children }: FrameProps) {
  const { environments, params } = usePlace()
  const review = useReviewWords()
  const { environment: key = '' } = useParams({ strict: false }) as { environment?: string }
  const current = environments.find((each) => each.key === key)
  const lastKnown = useRef<Environment>(undefined)
  if (current) lastKnown.current = current
  const environment = current ?? (lastKnown.current?.key === key ? lastKnown.current : undefined)
  if (!environment) return <NoEnvironment wanted={key} />
  // Without a client, the list of clients leads there itself.
  const isEmpty = tab === 'Clients' && environment.lastHeartbeatAt === null
  const at = { ...params, environment: key }
  return (
    <Readable kind="environment" id={environment.id} isDeleted={!current}>
      <Page
        title={tab === 'Overview' ? environment.name : `${tab} of ${environment.name}`}
        {...(tab === 'Overview' && { part: 'Environment' })}
        description={<ConnectionWords environment={environment} />}
        actions={current && !isEmpty && <ToConnect env={key} />}
      >
        <PageTabs label={environment.name}>
          <TextLink
            to="/$org/$project/environments/$environment"
            params={at}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            Overview
          </TextLink>
          <TextLink to="/$org/$project/environments/$environment/clients" params={at}>
            Clients
          </TextLink>
          <TextLink to="/$org/$project/environments/$environment/history" params={at}>
            History
          </TextLink>
          <TextLink to="/$org/$project/environments/$environment/publish" params={at}>
            {review}
          </TextLink>
        </PageTabs>
        {children(environment)}
      </Page>
    </Readable>
  )
}
