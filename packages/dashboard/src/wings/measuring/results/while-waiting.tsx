import { Stack, Text } from '@mantine/core'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { connectionOf } from '../../flags/environments/connection.ts'
import type { Results } from './figures.ts'
import classes from './results.module.css'
import { waitingChecks } from './waiting.ts'

/** What to look at while a test has no visitors. */
export function WhileWaiting({ results, envKey }: { results: Results; envKey: string }) {
  const { environments } = usePlace()
  const now = useNow()
  const environment = environments.find(({ key }) => key === envKey)
  const checks = environment
    ? waitingChecks(results, connectionOf(environment.lastHeartbeatAt, now), environment.name)
    : []
  return (
    <Stack gap="xs">
      {checks.length > 0 && (
        <ul className={classes.checks} aria-label="Why nobody is counted">
          {checks.map(({ tone, words }) => (
            <li key={words}>
              <StatusDot tone={tone}>{words}</StatusDot>
            </li>
          ))}
        </ul>
      )}
      <Text size="sm">
        <WhenCounted envKey={envKey} />, or <ExampleLink />
      </Text>
    </Stack>
  )
}

/** What counts a visitor, with the way to set it up. */
function WhenCounted({ envKey }: { envKey: string }) {
  const { project, params } = usePlace()
  if (project.type === 'WEB')
    return (
      <>
        Visitors are counted when their page loads the script of web experiments, or when your server asks for their
        variation.{' '}
        <TextLink to="/$org/$project/connect" params={params} search={{ env: envKey } as never} underline="always">
          Get the tag of your pages
        </TextLink>
      </>
    )
  return (
    <>
      Visitors are counted when your program evaluates the flag with the SDK.{' '}
      <TextLink to="/$org/$project/connect" params={params} search={{ env: envKey } as never}>
        Connect your SDK
      </TextLink>
    </>
  )
}

export function ExampleLink() {
  const { params } = usePlace()
  return (
    <TextLink to="/$org/$project/experiments/example" params={params}>
      see an example of results.
    </TextLink>
  )
}
