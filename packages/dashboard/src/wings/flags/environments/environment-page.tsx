import { Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { ButtonLink, TextLink } from '../../../ui/links.tsx'
import { Page } from '../../../ui/page.tsx'
import { ConnectionWords } from './connection-words.tsx'
import { EnvironmentOverview } from './environment-overview.tsx'
import classes from './environments-page.module.css'

/** One environment: its settings, its SDK key, and how to delete it. */
export function EnvironmentPage() {
  return (
    <EnvironmentFrame tab="Overview">
      {(environment) => <EnvironmentOverview environment={environment} />}
    </EnvironmentFrame>
  )
}

const chosen = { fw: 600, c: 'var(--mantine-color-text)', underline: 'never' } as const

interface FrameProps {
  tab: 'Overview' | 'Clients'
  children: (environment: Environment) => ReactNode
}

/** Around the tabs of an environment. */
export function EnvironmentFrame({ tab, children }: FrameProps) {
  const { environments, project, params } = usePlace()
  const { environment: key = '' } = useParams({ strict: false }) as { environment?: string }
  const environment = environments.find((each) => each.key === key)
  if (!environment)
    return (
      <Page title="Environment not found" description={`${project.name} has no environment with the key ${key}.`}>
        <Text size="sm">
          <TextLink to="/$org/$project/environments" params={params}>
            All environments of {project.name}
          </TextLink>
        </Text>
      </Page>
    )
  const at = { ...params, environment: key }
  return (
    <Page
      title={tab === 'Overview' ? environment.name : `${tab} of ${environment.name}`}
      description={<ConnectionWords environment={environment} />}
      actions={
        <ButtonLink to="/$org/$project/connect" params={params} search={{ env: key }}>
          Connect your SDK
        </ButtonLink>
      }
    >
      <nav className={classes.tabs} aria-label={environment.name}>
        <TextLink
          to="/$org/$project/environments/$environment"
          params={at}
          activeOptions={{ exact: true, includeSearch: false }}
          {...(tab === 'Overview' && chosen)}
        >
          Overview
        </TextLink>
        <TextLink to="/$org/$project/environments/$environment/clients" params={at} {...(tab === 'Clients' && chosen)}>
          Clients
        </TextLink>
        <TextLink to="/$org/$project/environments/$environment/publish" params={at}>
          Review and publish
        </TextLink>
      </nav>
      {children(environment)}
    </Page>
  )
}
