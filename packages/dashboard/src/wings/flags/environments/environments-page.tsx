import { Button, VisuallyHidden } from '@mantine/core'
import { IconLock, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { server } from '../../../api.ts'
import { idOf } from '../../../shell/held-rows.ts'
import { HeldTable } from '../../../shell/held-table.tsx'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ToConnect } from '../../../shell/subject.tsx'
import { CopyButton } from '../../../ui/code/copy-button.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import type { Column } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { unpublishedIn } from '../flags/unpublished.ts'
import { AddEnvironment } from './add-environment.tsx'
import { ConnectionWords } from './connection-words.tsx'
import { EnvironmentName } from './environment-name.tsx'
import classes from './environments-page.module.css'

/** Short enough to show within a minute that an SDK has connected or gone silent. */
const heartbeatsReadMs = 30_000

/** A project's environments: what is connected to them, what is live in them and what is not yet. */
export function EnvironmentsPage() {
  const { project, params } = usePlace()
  const mayEdit = useMay('projects:write')
  const isWeb = project.type === 'WEB'
  const [isAdding, setIsAdding] = useState(false)
  const environments = server.useQuery(
    'get',
    '/api/v1/projects/{projectId}/environments',
    { params: { path: { projectId: project.id } } },
    { refetchInterval: heartbeatsReadMs },
  )
  return (
    <Page
      title="Environments"
      description={`The environments of ${project.name}. Each has its own ${isWeb ? 'experiments' : 'switches, rules'} and SDK key.`}
      actions={
        <>
          <ToConnect />
          {!isWeb && environments.data && environments.data.data.length > 1 && (
            <ButtonLink variant="default" to="/$org/$project/compare" params={params}>
              Compare
            </ButtonLink>
          )}
          {mayEdit && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
              Add environment
            </Button>
          )}
        </>
      }
    >
      {!mayEdit && <OnlyFor>You can look at environments. Admins can add and change them.</OnlyFor>}
      <Loaded query={environments} like="table">
        {({ data }) => (
          <HeldTable
            caption="Environments"
            noun="environment"
            query={environments}
            pages={[data]}
            keyOf={idOf}
            columns={columns}
          />
        )}
      </Loaded>
      {isAdding && <AddEnvironment onClose={() => setIsAdding(false)} />}
    </Page>
  )
}

const columns: Column<Environment>[] = [
  { title: 'Name', cell: (environment) => <Name environment={environment} /> },
  { title: 'Connection', cell: (environment) => <ConnectionWords environment={environment} /> },
  {
    title: 'Live',
    cell: ({ dataFile: { revision, publishedAt } }) =>
      publishedAt === null ? (
        'Nothing yet'
      ) : (
        <span>
          Revision {revision}, <Time time={publishedAt} />
        </span>
      ),
  },
  { title: 'Unpublished', cell: (environment) => <Unpublished environment={environment} /> },
  {
    title: 'SDK key',
    cell: ({ name, sdkKey }) => <CopyButton text={sdkKey} label="Copy" what={`the SDK key of ${name}`} size="xs" />,
  },
]

function Name({ environment: { key, name, color, protected: isProtected } }: { environment: Environment }) {
  const { params } = usePlace()
  return (
    <span className={classes.name}>
      <TextLink to="/$org/$project/environments/$environment" params={{ ...params, environment: key }} fw={600}>
        <EnvironmentName name={name} color={color} />
      </TextLink>
      {isProtected && (
        <>
          <IconLock size={14} aria-hidden />
          <VisuallyHidden>Protected</VisuallyHidden>
        </>
      )}
    </span>
  )
}

function Unpublished({ environment: { id, key, hasStagedChanges } }: { environment: Environment }) {
  const { params } = usePlace()
  // Changes of audiences are not in the index, so the count can be missing.
  const count = unpublishedIn(useProjectIndex().data, id)
  if (!hasStagedChanges) return 'Nothing'
  return (
    <TextLink to="/$org/$project/environments/$environment/publish" params={{ ...params, environment: key }}>
      {count === 0 ? 'Review changes' : `Review ${counted(count, 'unpublished change')}`}
    </TextLink>
  )
}
