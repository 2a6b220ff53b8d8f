import { Button, Code, List, Text } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../api.ts'
import { LastChange } from '../../../shell/deleted.tsx'
import { indexPath } from '../../../shell/index-query.ts'
import { useObjectActions } from '../../../shell/object-actions.ts'
import { ObjectPage } from '../../../shell/object-page.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { useSubject } from '../../../shell/subject.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { FailureNotice } from '../../../ui/notice/failure-notice.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { percent } from '../../../ui/words/percent.ts'
import { onlyIf, refresh, useDone, type Versioned } from '../../../versioned.ts'
import { usesInWords } from '../../flags/audiences/audience.ts'
import { DeleteDialog } from '../../flags/references/delete-dialog.tsx'
import { UsedBy } from '../../flags/references/used-by.tsx'
import { useArchiving } from '../archiving.ts'
import { ActivitySection } from './activity-section.tsx'
import { listPath, onePath, readMetric } from './metric.ts'
import { MetricPanel } from './metric-panel.tsx'
import { directionInWords, type Metric, sentenceOf, shareInPercent } from './metric-words.ts'
import { TestsSection } from './tests-section.tsx'
import { triggerSentence } from './trigger-words.ts'

/** One metric: what it measures, what uses it, and how to change or archive it. */
export function MetricPage() {
  const { metric: key } = useParams({ from: '/inside/$org/$project/metrics/$metric' })
  const { params } = usePlace()
  return (
    <ObjectPage
      noun="metric"
      wanted={key}
      Icon={IconChartBar}
      path={onePath}
      read={readMetric}
      near={({ metrics }) => metrics}
      link={({ key, name }) => (
        <TextLink to="/$org/$project/metrics/$metric" params={{ ...params, metric: key }} underline="always">
          {name}
        </TextLink>
      )}
      all={
        <ButtonLink to="/$org/$project/metrics" params={params} variant="default">
          Go to metrics
        </ButtonLink>
      }
    >
      {(metric) => <Shown metric={metric} />}
    </ObjectPage>
  )
}

function Shown({ metric }: { metric: Versioned<Metric> }) {
  const { content, etag } = metric
  const { project, params } = usePlace()
  const { test } = useSubject()
  const navigate = useNavigate()
  const client = useQueryClient()
  const done = useDone()
  const mayEdit = useMay('metrics:write')
  const { offers, panel, open, close, ...deletion } = useObjectActions('metric', mayEdit)
  const path = { projectId: project.id, metricId: content.id }

  const archive = useArchiving<Metric>(async (_metric, archived) => {
    await api.PATCH(onePath, { params: { path }, body: { archived } })
    await refresh(client, listPath, onePath, indexPath)
  })
  const remove = async () => {
    await api.DELETE(onePath, { params: { path, header: onlyIf(etag) } })
    await navigate({ to: '/$org/$project/metrics', params })
    await done(`${content.name} deleted.`, listPath, indexPath)
  }
  return (
    <Page
      title={content.name}
      description={<Code>{content.key}</Code>}
      actions={
        offers && (
          <>
            <Button variant="default" onClick={deletion.askDelete}>
              Delete…
            </Button>
            <Button variant="default" loading={archive.isPending} onClick={() => archive.mutate(content)}>
              {content.archived ? 'Bring back' : 'Archive'}
            </Button>
            <Button onClick={() => open('edit')}>Edit metric</Button>
          </>
        )
      }
    >
      {!mayEdit && <OnlyFor>You can look at this metric. Editors and admins can change it.</OnlyFor>}
      <LastChange kind="metric" id={content.id} />
      <FailureNotice error={archive.error} title="Not saved" />
      {content.archived && (
        <Notice title="This metric is archived">
          New tests cannot use it. Tests that have it keep it, and their results stay.
        </Notice>
      )}
      <WhatItMeasures metric={content} />
      <ActivitySection metric={content} />
      <TestsSection metric={content} />
      <UsedBy
        uses={content.usedBy}
        inWords={usesInWords(content.usedBy)}
        note={content.inUse ? ' A test with it has started, so it can be renamed and archived, but not redefined.' : ''}
        unused={`Choose it in ${test}.`}
      />
      {panel === 'edit' && <MetricPanel metric={metric} onClose={close} />}
      {deletion.isDeleting && (
        <DeleteDialog noun="metric" name={content.name} usedBy={content.usedBy} remove={remove} onClose={deletion.keep}>
          The metric is gone for good. It can be deleted only if no rule uses it and no published revision did.
          Otherwise archive it.
        </DeleteDialog>
      )}
    </Page>
  )
}

function WhatItMeasures({ metric }: { metric: Metric }) {
  return (
    <Section title="What it measures">
      <Text size="lg">{sentenceOf(metric)}.</Text>
      <List size="sm">
        <List.Item>{directionInWords(metric.direction)}.</List.Item>
        {metric.trigger && <List.Item>{triggerSentence(metric.eventKey, metric.trigger)}.</List.Item>}
        {metric.winsorizeAt !== null && (
          <List.Item>
            Visitors above the {shareInPercent(metric.winsorizeAt)}th percentile count no more than that percentile.
          </List.Item>
        )}
        {metric.nonInferiorityMargin !== null && (
          <List.Item>
            As a guardrail, a loss of up to {percent(shareInPercent(metric.nonInferiorityMargin))} of the baseline is
            accepted.
          </List.Item>
        )}
      </List>
    </Section>
  )
}
