import { Button, Paper, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { useAttention } from '../../../shell/problems/attention.ts'
import { useMay, useOrganization, useSession } from '../../../shell/session.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { finish, type Step, stepsOf } from './checklist.ts'
import classes from './checklist-card.module.css'

const revisionsPath = '/api/v1/projects/{projectId}/environments/{envId}/revisions'
/** Enough for a project that begins. */
const environmentsMax = 4

/** Whether any change was published, apart from what a first run publishes. */
function usePublished(): boolean | undefined {
  const { project, environments } = usePlace()
  const queries = useQueries({
    queries: environments.slice(0, environmentsMax).map(({ id }) => ({
      queryKey: ['get', revisionsPath, 'checklist', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const params = { path: { projectId: project.id, envId: id }, query: { limit: 50 } }
        return (await api.GET(revisionsPath, { params, signal })).data!.data
      },
    })),
  })
  if (queries.some(({ data }) => data?.some(({ reason }) => reason === 'PUBLISHED'))) return true
  return queries.some(({ isPending }) => isPending) ? undefined : false
}

/** How many people belong to the organization or are invited; undefined for those who cannot invite. */
function usePeople(mayInvite: boolean) {
  const enabled = mayInvite
  const members = server.useQuery('get', '/api/v1/members', { params: { query: { limit: 2 } } }, { enabled })
  const invited = server.useQuery('get', '/api/v1/members/invitations', {}, { enabled })
  const count = members.data && invited.data && members.data.data.length + invited.data.data.length
  return { count, isLoadingError: members.isLoadingError || invited.isLoadingError }
}

interface ChecklistProps {
  isRunning: boolean
  onFinish: () => void
}

/** What is left to do after the first start. It goes away when all is done, or when the person says so. */
export function ChecklistCard({ isRunning, onFinish }: ChecklistProps) {
  const { project, environments } = usePlace()
  const { user } = useSession()
  const mayPublish = useMay('projects:write')
  const mayInvite = useMay('members:write')
  const mayRevoke = useOrganization()?.administrator === true
  const attention = useAttention()
  const isPublished = usePublished()
  const people = usePeople(mayInvite)
  const isKnown = attention.data && isPublished !== undefined && (!mayInvite || people.count !== undefined)
  const steps = isKnown
    ? stepsOf(
        {
          type: project.type,
          isConnected: environments.some(({ lastHeartbeatAt }) => lastHeartbeatAt !== null),
          isRunning,
          isPublished,
          people: people.count,
          hasSecondFactor: user.secondFactor,
          hasInitialToken: mayRevoke
            ? attention.data.data.problems.some(({ kind }) => kind === 'INITIAL_TOKEN')
            : undefined,
        },
        { mayPublish, mayInvite },
      )
    : []
  const isDone = isKnown && steps.every((step) => step.isDone)
  const isOver = isDone || attention.isLoadingError || people.isLoadingError
  useEffect(() => {
    if (isDone) finish(user.id, project.id)
    if (isOver) onFinish()
  }, [isDone, isOver, user.id, project.id, onFinish])
  if (steps.length === 0 || isOver) return null
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-label="First steps">
      <div className={classes.head}>
        <Title order={2}>First steps</Title>
        <Text size="sm" c="dimmed">
          {steps.filter((step) => step.isDone).length} of {steps.length} done
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            finish(user.id, project.id)
            onFinish()
          }}
        >
          Hide
        </Button>
      </div>
      <ul className={classes.steps}>
        {steps.map((step) => (
          <li key={step.key} className={classes.step}>
            {step.isDone ? <IconCircleCheck size={16} aria-hidden /> : <IconCircle size={16} aria-hidden />}
            {step.isDone ? (
              <span>
                {step.label}
                <VisuallyHidden> (done)</VisuallyHidden>
              </span>
            ) : (
              <StepLink step={step} />
            )}
          </li>
        ))}
      </ul>
    </Paper>
  )
}

function StepLink({ step: { key, label } }: { step: Step }) {
  const { params, environments } = usePlace()
  const { org } = params
  // A flag has its switch below, and a draft its link.
  if (key === 'run' || key === 'launch') return <span>{label}</span>
  if (key === 'connect')
    return (
      <TextLink to="/$org/$project/connect" params={params}>
        {label}
      </TextLink>
    )
  if (key === 'publish')
    return (
      <TextLink
        to="/$org/$project/environments/$environment/publish"
        params={{ ...params, environment: environments[0]!.key }}
      >
        {label}
      </TextLink>
    )
  if (key === 'factor') return <TextLink to="/account/security">{label}</TextLink>
  return (
    <TextLink to={key === 'invite' ? '/$org/settings/members' : '/$org/settings/tokens'} params={{ org }}>
      {label}
    </TextLink>
  )
}
