import { Button, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { LastChange, useIsDeleted } from '../../../shell/deleted.tsx'
import { useKeys } from '../../../shell/keys.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Page } from '../../../ui/layout/page.tsx'
import { Status, StatusBadge } from '../../../ui/status/status-badge.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import type { Versioned } from '../../../versioned.ts'
import { Present } from '../web-changes/presence.tsx'
import { type ExperimentOnPages, useMayTest } from './experiment.ts'
import { ageOf, canBeScheduled, winnerOffer } from './experiment-words.ts'
import { useWebLifecycle } from './lifecycle.tsx'
import { BeforeWebLaunch } from './web-checklist.tsx'
import { TestedPages, TestedVariations } from './web-content.tsx'
import { WebTabs } from './web-tabs.tsx'
import { WebUnpublished } from './web-unpublished.tsx'
import { WhatIsTested } from './what-is-tested.tsx'

// A draft has no results.
const WebResults = lazy(async () => ({ default: (await import('./web-results.tsx')).WebResults }))
const CodeErrors = lazy(async () => ({ default: (await import('./code-errors.tsx')).CodeErrors }))
const EditExperiment = lazy(async () => ({ default: (await import('./edit-experiment.tsx')).EditExperiment }))
const ScheduleExperiment = lazy(async () => ({
  default: (await import('./schedule-experiment.tsx')).ScheduleExperiment,
}))
const Tickets = lazy(() => import('../../../shell/tickets.tsx'))
const Phases = lazy(async () => ({ default: (await import('./phases.tsx')).Phases }))
const PublishExperiment = lazy(async () => ({
  default: (await import('./publish-experiment.tsx')).PublishExperiment,
}))

/** Opens a panel of the page, or none. */
type Go = (search: { panel?: string }) => void

/** A web experiment: where it is in its life, what can be done, its results, and what its variations do to pages. */
export function WebExperiment({ experiment }: { experiment: Versioned<ExperimentOnPages> }) {
  const { content } = experiment
  const { environments } = usePlace()
  const { panel } = useSearch({ from: '/inside/$org/$project/experiments/$experiment' })
  const navigate = useNavigate()
  const go: Go = ({ panel }) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, panel })) as never, resetScroll: false })
  const mayEdit = useMayTest()
  const mayReadResults = useMay('results:read')
  const isDeleted = useIsDeleted()
  const canEdit = mayEdit && content.status !== 'ARCHIVED'
  const offers = canEdit && !isDeleted
  const edit = () => go({ panel: 'edit' })
  useKeys(offers ? { e: { label: 'Edit this experiment', act: edit } } : {})
  const environment = environments.find(({ id }) => id === content.envId)
  const place = environment?.name ?? 'its environment'
  const lifecycle = useWebLifecycle({
    experiment,
    environment,
    isLaunching: panel === 'launch' && canEdit,
    onAsked: () => panel === 'launch' && go({}),
  })
  return (
    <Page
      title={content.name}
      part="Experiment"
      description={<About experiment={content} place={place} />}
      actions={
        mayEdit &&
        !isDeleted && (
          <>
            {canEdit && <EditButtons experiment={content} edit={edit} go={go} />}
            {lifecycle.buttons}
          </>
        )
      }
    >
      <WebTabs experiment={content} />
      <Suspense>
        <Tickets about={content.id} />
      </Suspense>
      <State {...{ experiment: content, place, panel, go, offers }} />
      {content.hypothesis && content.launchedAt === null && <Text size="lg">{content.hypothesis}</Text>}
      {content.status === 'DRAFT' && <BeforeWebLaunch experiment={content} place={place} />}
      <TestedVariations experiment={content} />
      <Suspense>
        {content.launchedAt !== null && <WebResults experiment={content} environment={environment} />}
        {content.launchedAt !== null && <CodeErrors experiment={content} />}
      </Suspense>
      <TestedPages experiment={content} />
      <Suspense>{mayReadResults && content.launchedAt !== null && <Phases experiment={content} />}</Suspense>
      <WhatIsTested experiment={content} />
      {mayEdit && lifecycle.dialog}
      {offers && (
        <Suspense>
          {panel === 'edit' && environment && (
            <EditExperiment experiment={experiment} environment={environment} onClose={() => go({})} />
          )}
          {panel === 'publish' && <PublishExperiment experiment={experiment} place={place} onClose={() => go({})} />}
        </Suspense>
      )}
    </Page>
  )
}

function About({ experiment, place }: { experiment: ExperimentOnPages; place: string }) {
  const now = useNow()
  return (
    <>
      <Status of="experiment" value={experiment.status} /> {ageOf(experiment, now)}, in {place}. Programs and exposures
      call it x{experiment.shortId}.{' '}
      {experiment.tags.map((tag) => (
        <StatusBadge key={tag} tone="note">
          {tag}
        </StatusBadge>
      ))}
    </>
  )
}

function EditButtons({ experiment, edit, go }: { experiment: ExperimentOnPages; edit: () => void; go: Go }) {
  return (
    <>
      <Button variant="default" onClick={edit}>
        Edit experiment
      </Button>
      {canBeScheduled(experiment) && (
        <Button variant="default" onClick={() => go({ panel: 'schedule' })}>
          Schedule…
        </Button>
      )}
    </>
  )
}

interface StateProps {
  experiment: ExperimentOnPages
  place: string
  panel: string | undefined
  go: Go
  /** Whether the page offers changes. */
  offers: boolean
}

/** What holds for it now: who changed it, what is unpublished, what is scheduled, and why it has no winner. */
function State({ experiment, place, panel, go, offers }: StateProps) {
  const mayEdit = useMayTest()
  const canSchedule = offers && canBeScheduled(experiment)
  return (
    <>
      {!mayEdit && <OnlyFor>You can look at this experiment. Editors and admins can change it.</OnlyFor>}
      <LastChange kind="experiment" id={experiment.id} />
      <Present experiment={experiment} />
      {experiment.hasStagedChanges && (
        <WebUnpublished experiment={experiment} {...(offers && { onPublish: () => go({ panel: 'publish' }) })} />
      )}
      <Suspense>
        <ScheduleExperiment
          experiment={experiment}
          place={place}
          canEdit={canSchedule}
          isOpen={panel === 'schedule' && canSchedule}
          onOpen={() => go({ panel: 'schedule' })}
          onClose={() => go({})}
        />
      </Suspense>
      {mayEdit && winnerOffer(experiment) === 'refused' && !experiment.winner && (
        <Text size="sm">
          A winner cannot be declared while a check fails. Fix the problem, then duplicate the experiment and run it
          again.
        </Text>
      )}
    </>
  )
}
