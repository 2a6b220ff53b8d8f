import { Button, Checkbox, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api, server } from '../../../api.ts'
import { usePlace } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { useDone } from '../../../versioned.ts'
import { LastJob, type useLastJob } from '../jobs/last-job.tsx'
import { NextRunText } from '../schedules/next-run-text.tsx'
import { type Dataset, datasetPath, datasetsPath, type Version, versionsPath } from './dataset.ts'
import { canRollBack, checkInWords, isStillHeld, stateOf } from './dataset-words.ts'

const shownVersions = 20

interface DatasetVersionsProps {
  dataset: Dataset
  last: ReturnType<typeof useLastJob>
  /** Whether the person can activate a different version. */
  offers: boolean
}

/** The versions of a dataset, with what each one was checked for, and the one that models learn from. */
export function DatasetVersions({ dataset, last, offers }: DatasetVersionsProps) {
  const { project } = usePlace()
  const [chosen, setChosen] = useState<Version | 'before'>()
  const query = server.useQuery('get', versionsPath, {
    params: { path: { projectId: project.id, datasetId: dataset.id }, query: { limit: shownVersions } },
  })
  const versions = query.data?.data ?? []
  return (
    <Section
      title="Versions"
      description={
        dataset.kind === 'INTERACTIONS' ? <NextRunText schedule={dataset.schedule} /> : 'Each file is a version.'
      }
      actions={
        offers &&
        canRollBack(versions) && (
          <Button variant="default" onClick={() => setChosen('before')}>
            Roll back…
          </Button>
        )
      }
    >
      <LastJob job={last.job?.status === 'HELD' && !isStillHeld(last.job, versions) ? undefined : last.job} />
      <Loaded query={query} like="table" lines={2}>
        {({ data }) =>
          data.length === 0 ? (
            !last.isRunning && <Text size="sm">No version yet. Models cannot learn from it before the first one.</Text>
          ) : (
            <VersionTable versions={data} {...(offers && { onActivate: setChosen })} />
          )
        }
      </Loaded>
      {chosen && <ActivateDialog dataset={dataset} version={chosen} onClose={() => setChosen(undefined)} />}
    </Section>
  )
}

interface VersionTableProps {
  versions: Version[]
  onActivate?: (version: Version) => void
}

function VersionTable({ versions, onActivate }: VersionTableProps) {
  const count = (value: number | null) => value?.toLocaleString('en') ?? ''
  const columns: Column<Version>[] = [
    {
      title: 'Version',
      cell: ({ number, createdAt }) => (
        <Group gap={4}>
          Version {number}
          <Text component="span" size="xs" c="dimmed" fw={400}>
            <Time time={createdAt} />
          </Text>
        </Group>
      ),
    },
    { title: 'State', cell: (version) => <Status of="version" value={stateOf(version)} /> },
    { title: 'Rows', cell: ({ rows }) => count(rows) },
    { title: 'Visitors', cell: ({ units }) => count(units) },
    { title: 'Products', cell: ({ products }) => count(products) },
    {
      title: 'Checks',
      cell: ({ checks }) =>
        checks.map((check) => (
          <Text key={check.check} size="xs" {...(check.status === 'FAILED' && { fw: 600 })}>
            {checkInWords(check)}
          </Text>
        )),
    },
    ...(onActivate
      ? [
          {
            title: 'Actions',
            isActions: true as const,
            cell: (version: Version) =>
              !version.isActive && (
                <Button size="xs" variant="default" onClick={() => onActivate(version)}>
                  Activate version {version.number}…
                </Button>
              ),
          },
        ]
      : []),
  ]
  return <DataTable caption="Versions" rows={versions} keyOf={({ id }) => id} columns={columns} />
}

interface ActivateDialogProps {
  dataset: Dataset
  /** The version that was active before, or this one. */
  version: Version | 'before'
  onClose: () => void
}

function ActivateDialog({ dataset, version, onClose }: ActivateDialogProps) {
  const { project } = usePlace()
  const done = useDone()
  const [run, setRun] = useState(false)
  const path = { projectId: project.id, datasetId: dataset.id }
  const activate = async () => {
    const { data } =
      version === 'before'
        ? await api.POST(`${datasetPath}/rollback`, { params: { path }, body: { run } })
        : await api.POST(`${versionsPath}/{versionId}/activate`, {
            params: { path: { ...path, versionId: version.id } },
            body: { run },
          })
    await done(`Version ${data!.data.number} is active.`, versionsPath, datasetPath, datasetsPath)
  }
  const now = dataset.activeVersion ? `in place of version ${dataset.activeVersion.number}` : 'from now on'
  return (
    <ConfirmDialog
      title={version === 'before' ? `Roll back ${dataset.name}?` : `Activate version ${version.number}?`}
      verb={version === 'before' ? 'Roll back' : 'Activate'}
      act={activate}
      onClose={onClose}
    >
      <Text size="sm" mb="sm">
        {version !== 'before' && version.status === 'HELD' && 'A guard has stopped this version. '}
        Models learn from {version === 'before' ? 'the version that was active before' : 'it'} {now}, at their next run.
        You can go back at any time.
      </Text>
      <Checkbox
        label="Let models that learn from it run at once"
        checked={run}
        onChange={(event) => setRun(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  )
}
