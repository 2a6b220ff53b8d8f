import { Button, Code, List, Text } from '@mantine/core'
import { IconDatabase } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { api } from '../../../api.ts'
import { LastChange } from '../../../shell/deleted.tsx'
import { indexPath } from '../../../shell/index-query.ts'
import { useObjectActions } from '../../../shell/object-actions.ts'
import { ObjectPage } from '../../../shell/object-page.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Facts } from '../../../ui/layout/facts.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { announce } from '../../../ui/notice/announce.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { onlyIf, refresh, useDone, type Versioned } from '../../../versioned.ts'
import { DeleteDialog } from '../../flags/references/delete-dialog.tsx'
import { jobsPath } from '../jobs/job.ts'
import { useLastJob } from '../jobs/last-job.tsx'
import { actionsInWords } from '../models/model-words.ts'
import { scheduleInWords } from '../schedules/schedule-words.ts'
import { SendFile } from '../sending/send-file.tsx'
import { type Dataset, datasetPath, datasetsPath, readDataset, versionsPath } from './dataset.ts'
import { DatasetVersions } from './dataset-versions.tsx'
import { guardsInWords, kinds } from './dataset-words.ts'

const EditDataset = lazy(async () => ({ default: (await import('./edit-dataset.tsx')).EditDataset }))

/** One dataset: its versions, which one models learn from, and how they are made. */
export function DatasetPage() {
  const { dataset: wanted } = useParams({ from: '/inside/$org/$project/commerce/datasets/$dataset' })
  const { params } = usePlace()
  return (
    <ObjectPage
      noun="dataset"
      wanted={wanted}
      Icon={IconDatabase}
      path={datasetPath}
      read={readDataset}
      near={({ datasets }) => datasets}
      link={({ key, name }) => (
        <TextLink
          to="/$org/$project/commerce/datasets/$dataset"
          params={{ ...params, dataset: key }}
          underline="always"
        >
          {name}
        </TextLink>
      )}
      all={
        <TextLink to="/$org/$project/commerce/datasets" params={params}>
          All datasets
        </TextLink>
      }
    >
      {(dataset) => <Shown dataset={dataset} />}
    </ObjectPage>
  )
}

function Shown({ dataset }: { dataset: Versioned<Dataset> }) {
  const { content, etag } = dataset
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const mayEdit = useMay('datasets:write')
  const { offers, panel, open, close, ...deletion } = useObjectActions('dataset', mayEdit)
  const last = useLastJob(content.id, versionsPath, datasetPath, datasetsPath)
  const derive = useDerive(content)
  const remove = async () => {
    const path = { projectId: project.id, datasetId: content.id }
    await api.DELETE(datasetPath, { params: { path, header: onlyIf(etag) } })
    await navigate({ to: '/$org/$project/commerce/datasets', params })
    await done(`${content.name} deleted.`, datasetsPath, indexPath)
  }
  return (
    <Page
      title={content.name}
      description={
        <>
          <Code>{content.key}</Code> {kinds[content.kind]}
        </>
      }
      actions={
        offers && (
          <>
            <Button variant="default" onClick={deletion.askDelete}>
              Delete…
            </Button>
            <Button variant="default" onClick={() => open('edit')}>
              Edit dataset
            </Button>
            {content.kind === 'INTERACTIONS' && (
              <Button loading={derive.isPending || last.isRunning} onClick={() => derive.mutate()}>
                Derive a new version
              </Button>
            )}
          </>
        )
      }
    >
      {!mayEdit && <OnlyFor>You can look at datasets. People who manage integrations can change them.</OnlyFor>}
      <LastChange kind="dataset" id={content.id} />
      <FailureNotice error={derive.error} title="Not started" />
      <DatasetVersions dataset={content} last={last} offers={offers} />
      {mayEdit && content.kind === 'NEIGHBOURS' && <SendPairs dataset={content} />}
      <HowItIsMade dataset={content} />
      <Suspense fallback={null}>{panel === 'edit' && <EditDataset dataset={dataset} onClose={close} />}</Suspense>
      {deletion.isDeleting && (
        <DeleteDialog noun="dataset" name={content.name} remove={remove} onClose={deletion.keep}>
          Its versions are deleted with it. A dataset from which models learn cannot be deleted, nor one with a job that
          is queued or running.
        </DeleteDialog>
      )}
    </Page>
  )
}

/** Asks for a version. The page shows how it goes. */
function useDerive({ id }: Dataset) {
  const { project } = usePlace()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.POST(versionsPath, { params: { path: { projectId: project.id, datasetId: id } } } as never),
    onSuccess: async ({ response }) => {
      await refresh(client, jobsPath)
      announce(response.status === 200 ? 'A version is being derived already.' : 'A version is being derived.')
    },
  })
}

const maxPairBytes = 256_000_000

/** A file of an outside trainer: each is a version. */
function SendPairs({ dataset: { id, name, key, projectId } }: { dataset: Dataset }) {
  return (
    <Section
      title="Send a file"
      description={
        <>
          A person sends it here, and a program with <Code>svc dataset upload {key}</Code>.
        </>
      }
    >
      <SendFile
        to={{ id, name, projectId, hasJob: false, path: `/api/v1/projects/${projectId}/datasets/${id}/versions` }}
        accept=".csv,.txt,.jsonl,.ndjson"
        maxBytes={maxPairBytes}
        hint="CSV with the columns productId, relatedId and score, or JSON lines."
        consequence="It becomes a version, and models learn from it at their next run, unless a check holds it."
      />
    </Section>
  )
}

function HowItIsMade({ dataset }: { dataset: Dataset }) {
  const { environments } = usePlace()
  const { derivation, schedule } = dataset
  const environment = environments.find(({ id }) => id === derivation?.envId)
  const guards = guardsInWords(dataset)
  const facts: [string, ReactNode][] = derivation
    ? [
        ['Environment', environment?.name ?? 'A deleted environment'],
        ...(derivation.actions ? [['Counts', actionsInWords(derivation.actions)] as [string, ReactNode]] : []),
        ['Days', derivation.windowDays?.toLocaleString('en') ?? 'All that are kept'],
        ['Runs', scheduleInWords(schedule)],
      ]
    : [['Runs', 'When a file is sent']]
  return (
    <>
      <Section title="How it is made">
        <Facts facts={facts} />
      </Section>
      {guards.length > 0 && (
        <Section
          title="When a version is held"
          description="If one of these is true, the version does not go live until a person activates it."
        >
          <List size="sm">
            {guards.map((guard) => (
              <List.Item key={guard}>
                <Text size="sm">{guard}</Text>
              </List.Item>
            ))}
          </List>
        </Section>
      )}
    </>
  )
}
