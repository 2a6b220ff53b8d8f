import { Paper, Text, Title } from '@mantine/core'
import type { Data } from '@svc/client'
import { server } from '../../../api.ts'
import { segmentOf } from '../../../shell/address.ts'
import { useOrgParams } from '../../../shell/place.ts'
import { useAttention } from '../../../shell/problems/attention.ts'
import { problemPage, problemWords } from '../../../shell/problems/problem-words.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { ConnectionWords } from '../environments/connection-words.tsx'
import { EnvironmentName } from '../environments/environment-name.tsx'
import classes from './projects-page.module.css'

type Project = Data<'/api/v1/projects', 'get'>[number]

const typeWords: Record<Project['type'], string> = { FEATURE_FLAG: 'Feature flags', WEB: 'Web experiments' }
const problemsMax = 3

/** A project: whether programs are connected to its environments, and what needs attention. */
export function ProjectCard({ project }: { project: Project }) {
  const { org } = useOrgParams()
  return (
    <Paper withBorder p="md" radius="md" className={classes.card ?? ''}>
      <div>
        <Title order={2} size="h3">
          <TextLink to="/$org/$project" params={{ org, project: segmentOf(project) }} inherit>
            {project.name}
          </TextLink>
        </Title>
        <Text size="sm" c="dimmed">
          {typeWords[project.type]}
        </Text>
      </div>
      <Environments projectId={project.id} />
      <Problems projectId={project.id} />
    </Paper>
  )
}

function Environments({ projectId }: { projectId: string }) {
  const params = { path: { projectId } }
  const { data, isLoadingError } = server.useQuery('get', '/api/v1/projects/{projectId}/environments', { params })
  if (isLoadingError) return <Text size="sm">The environments could not be loaded.</Text>
  return (
    <ul className={classes.environments}>
      {data?.data.map((environment) => (
        <li key={environment.id} className={classes.environment}>
          <EnvironmentName name={environment.name} color={environment.color} />
          <ConnectionWords environment={environment} />
        </li>
      ))}
    </ul>
  )
}

function Problems({ projectId }: { projectId: string }) {
  const { org } = useOrgParams()
  const { data } = useAttention()
  const problems = data?.data.problems.filter(({ project }) => project?.id === projectId) ?? []
  if (problems.length === 0) return null
  return (
    <Notice tone="warning" title="Needs attention">
      {problems.slice(0, problemsMax).map((problem) => {
        const { path, search } = problemPage(problem)
        return (
          <div key={`${problem.kind} ${problem.object.id} ${problem.environment?.id}`}>
            <TextLink to={path as never} params={{ org } as never} search={search as never} underline="always">
              {problemWords(problem).says}
            </TextLink>
          </div>
        )
      })}
      {problems.length > problemsMax && `${problems.length - problemsMax} more`}
    </Notice>
  )
}
