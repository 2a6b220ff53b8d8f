import { Button, Code } from '@mantine/core'
import { IconChartDots3 } from '@tabler/icons-react'
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
import { strategies, strategyName } from '../recommendations/placement-words.ts'
import { scheduleInWords } from '../schedules/schedule-words.ts'
import { DatasetName } from './dataset-name.tsx'
import { type Model, modelPath, modelsPath, readModel, runsPath } from './model.ts'
import { ModelRuns } from './model-runs.tsx'
import { actionsInWords } from './model-words.ts'

const EditModel = lazy(async () => ({ default: (await import('./edit-model.tsx')).EditModel }))

/** One model: how good its runs are, which one serves, and what it learns from. */
export function ModelPage() {
  const { recommendation_model: wanted } = useParams({
    from: '/inside/$org/$project/commerce/models/$recommendation_model',
  })
  const { params } = usePlace()
  return (
    <ObjectPage
      noun="recommendation model"
      wanted={wanted}
      Icon={IconChartDots3}
      path={modelPath}
      read={readModel}
      near={({ recommendationsModels }) => recommendationsModels}
      link={({ key, name }) => (
        <TextLink
          to="/$org/$project/commerce/models/$recommendation_model"
          params={{ ...params, recommendation_model: key }}
          underline="always"
        >
          {name}
        </TextLink>
      )}
      all={
        <TextLink to="/$org/$project/commerce/models" params={params}>
          All recommendation models
        </TextLink>
      }
    >
      {(model) => <Shown model={model} />}
    </ObjectPage>
  )
}

function Shown({ model }: { model: Versioned<Model> }) {
  const { content, etag } = model
  const { project, params } = usePlace()
  const navigate = useNavigate()
  const done = useDone()
  const mayEdit = useMay('recommendations:write')
  const { offers, panel, open, close, ...deletion } = useObjectActions('recommendation model', mayEdit)
  const last = useLastJob(content.id, runsPath, modelPath, modelsPath)
  const run = useRun(content)
  const remove = async () => {
    const path = { projectId: project.id, modelId: content.id }
    await api.DELETE(modelPath, { params: { path, header: onlyIf(etag) } })
    await navigate({ to: '/$org/$project/commerce/models', params })
    await done(`${content.name} deleted.`, modelsPath, indexPath)
  }
  return (
    <Page
      title={content.name}
      description={
        <>
          <Code>{content.key}</Code> {strategies[content.strategy].about}
        </>
      }
      actions={
        offers && (
          <>
            <Button variant="default" onClick={deletion.askDelete}>
              Delete…
            </Button>
            <Button variant="default" onClick={() => open('edit')}>
              Edit model
            </Button>
            <Button loading={run.isPending || last.isRunning} onClick={() => run.mutate()}>
              Run now
            </Button>
          </>
        )
      }
    >
      {!mayEdit && (
        <OnlyFor>You can look at recommendation models. People who manage integrations can change them.</OnlyFor>
      )}
      <LastChange kind="recommendation_model" id={content.id} />
      <FailureNotice error={run.error} title="Not started" />
      <ModelRuns model={content} last={last} offers={offers} />
      <WhatItIs model={content} />
      <Suspense fallback={null}>{panel === 'edit' && <EditModel model={model} onClose={close} />}</Suspense>
      {deletion.isDeleting && (
        <DeleteDialog noun="recommendation model" name={content.name} remove={remove} onClose={deletion.keep}>
          Its runs are deleted with it, and placements answer without it. A model that a placement names by its key
          cannot be deleted, nor one with a run that is queued or running.
        </DeleteDialog>
      )}
    </Page>
  )
}

/** Asks for a run. The page shows how it goes. */
function useRun({ id }: Model) {
  const { project } = usePlace()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.POST(runsPath, { params: { path: { projectId: project.id, modelId: id } } }),
    onSuccess: async ({ response }) => {
      await refresh(client, jobsPath)
      announce(response.status === 200 ? 'A run of this model is under way already.' : 'The run has begun.')
    },
  })
}

function WhatItIs({ model }: { model: Model }) {
  const { strategy, settings, schedule } = model
  const facts: [string, ReactNode][] = [
    ['Strategy', strategyName(strategy)],
    ['Learns from', <DatasetName key="dataset" model={model} />],
    ...(settings.actions ? [['Counts', actionsInWords(settings.actions)] as [string, ReactNode]] : []),
    ['Runs', scheduleInWords(schedule)],
  ]
  return (
    <Section title="What it is" description="A model serves all environments of the project.">
      <Facts facts={facts} />
    </Section>
  )
}
