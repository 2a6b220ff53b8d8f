import { Button, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { LastChange, useIsDeleted } from '../../../shell/deleted.tsx'
import { useKeys } from '../../../shell/keys.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Status, StatusBadge } from '../../../ui/status/status-badge.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import type { Versioned } from '../../../versioned.ts'
import { type Flag, useFlag } from '../../flags/flags/flag-queries.ts'
import { TestResults } from '../results/results-page.tsx'
import { type Experiment, useMayTest } from './experiment.ts'
import { ageOf, canBeScheduled, winnerOffer } from './experiment-words.ts'
import { LaunchChecklist, useReadiness } from './launch-checklist.tsx'
import { useLifecycle } from './lifecycle.tsx'
import { paragraphOf, stepIn } from './set-up-steps.ts'
import { WhatIsTested, winnerOf } from './what-is-tested.tsx'

// Most of its code is the editor of a rule.
const EditExperiment = lazy(async () => ({ default: (await import('./edit-experiment.tsx')).EditExperiment }))
// Few experiments have a schedule, and its words need the arithmetic of time zones.
const ScheduleExperiment = lazy(async () => ({
  default: (await import('./schedule-experiment.tsx')).ScheduleExperiment,
}))
const Tickets = lazy(() => import('../../../shell/tickets.tsx'))
const Phases = lazy(async () => ({ default: (await import('./phases.tsx')).Phases }))
const SetUp = lazy(async () => ({ default: (await import('./set-up.tsx')).SetUp }))
const PublishExperiment = lazy(async () => ({
  default: (await import('./publish-experiment.tsx')).PublishExperiment,
}))

interface FeatureExperimentProps {
  experiment: Versioned<Experiment>
  flagId: string
}

/** An experiment on a flag: where it is in its life, what can be done, its results, and what it tests. */
export function FeatureExperiment({ experiment, flagId }: FeatureExperimentProps) {
  const query = useFlag(flagId)
  return query.data ? (
    <Shown experiment={experiment} flag={query.data.content} />
  ) : (
    <Page title={experiment.content.name}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  )
}

function Shown({ experiment, flag }: { experiment: Versioned<Experiment>; flag: Flag }) {
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
  const isDraft = content.status === 'DRAFT'
  const edit = () => go({ panel: isDraft ? 'goal' : 'edit' })
  useKeys(offers ? { e: { label: 'Edit this experiment', act: edit } } : {})
  const environment = environments.find(({ id }) => id === content.envId)
  const about = { experiment: content, flag, environment }
  const lifecycle = useLifecycle({
    experiment,
    flag,
    environment,
    isLaunching: panel === 'launch',
    onAsked: () => panel === 'launch' && go({}),
  })
  return (
    <Page
      title={content.name}
      part="Experiment"
      description={<About {...about} />}
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
      <Suspense>
        <Tickets about={content.id} />
      </Suspense>
      <State {...about} panel={panel} go={go} canEdit={canEdit} />
      {content.hypothesis && content.launchedAt === null && <Text size="lg">{content.hypothesis}</Text>}
      {isDraft && environment && (
        <BeforeLaunch
          experiment={content}
          flag={flag}
          environment={environment}
          go={offers ? (step) => go({ panel: step }) : undefined}
        />
      )}
      <TestResults
        flag={flag}
        which={{ projectId: content.projectId, experimentId: content.id }}
        envKey={environment?.key ?? ''}
        title={`${content.name} · ${environment?.name ?? ''}`}
        winner={winnerOf(content)}
      />
      <Suspense>{mayReadResults && <Phases experiment={content} />}</Suspense>
      <WhatIsTested experiment={content} />
      {mayEdit && lifecycle.dialog}
      {canEdit && <Panels experiment={experiment} flag={flag} environment={environment} panel={panel} go={go} />}
    </Page>
  )
}

/** Opens a panel of the page, or none. */
type Go = (search: { panel?: string }) => void

function EditButtons({ experiment, edit, go }: { experiment: Experiment; edit: () => void; go: Go }) {
  return (
    <>
      <Button variant="default" onClick={edit}>
        {experiment.status === 'DRAFT' ? 'Continue set-up' : 'Edit experiment'}
      </Button>
      {canBeScheduled(experiment) && (
        <Button variant="default" onClick={() => go({ panel: 'schedule' })}>
          Schedule…
        </Button>
      )}
    </>
  )
}

interface StateProps extends PartProps {
  panel: string | undefined
  go: Go
  canEdit: boolean
}

/** What holds for it now: who changed it, what is unpublished, what is scheduled, and why it has no winner. */
function State({ experiment, flag, environment, panel, go, canEdit }: StateProps) {
  const mayEdit = useMayTest()
  const offers = !useIsDeleted() && canEdit
  return (
    <>
      {!mayEdit && <OnlyFor>You can look at this experiment. Editors and admins can change it.</OnlyFor>}
      <LastChange kind="experiment" id={experiment.id} />
      <Unpublished
        experiment={experiment}
        flag={flag}
        environment={environment}
        {...(offers && { onPublish: () => go({ panel: 'publish' }) })}
      />
      <Suspense>
        <ScheduleExperiment
          experiment={experiment}
          flag={flag}
          place={environment?.name ?? 'its environment'}
          canEdit={offers && canBeScheduled(experiment)}
          isOpen={panel === 'schedule' && canEdit && canBeScheduled(experiment)}
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

interface PartProps {
  experiment: Experiment
  flag: Flag
  environment: Environment | undefined
}

/** Its state, its age, and where it runs. */
function About({ experiment, flag, environment }: PartProps) {
  const { params } = usePlace()
  const now = useNow()
  return (
    <>
      <Status of="experiment" value={experiment.status} /> {ageOf(experiment, now)}, on{' '}
      <TextLink
        to="/$org/$project/flags/$flag"
        params={{ ...params, flag: flag.key }}
        search={{ env: environment?.key ?? '' }}
        underline="always"
      >
        {flag.name}
      </TextLink>{' '}
      in {environment?.name}{' '}
      {experiment.tags.map((tag) => (
        <StatusBadge key={tag} tone="note">
          {tag}
        </StatusBadge>
      ))}
    </>
  )
}

function Unpublished({ experiment, flag, environment, onPublish }: PartProps & { onPublish?: () => void }) {
  const { params } = usePlace()
  if (!experiment.hasStagedChanges || experiment.status === 'DRAFT') return null
  return (
    <Notice
      tone="unpublished"
      title="Some changes are not published"
      actions={
        <>
          {onPublish && experiment.completedAt === null && (
            <Button size="compact-sm" onClick={onPublish}>
              Publish changes…
            </Button>
          )}
          <TextLink
            to="/$org/$project/environments/$environment/publish"
            params={{ ...params, environment: environment?.key ?? '' }}
            search={{ flags: flag.key }}
          >
            See the differences
          </TextLink>
        </>
      }
    >
      Visitors still get what was published last.
    </Notice>
  )
}

interface PanelsProps extends Omit<PartProps, 'experiment'> {
  experiment: Versioned<Experiment>
  /** What the address says. */
  panel: string | undefined
  go: Go
}

/** The form that is open: a step of the set-up, the edit of a test that has begun, or its publish. */
function Panels({ experiment, flag, environment, panel, go }: PanelsProps) {
  const close = () => go({})
  const isDraft = experiment.content.status === 'DRAFT'
  const step = isDraft && stepIn(panel)
  return (
    <Suspense>
      {step && environment && (
        <SetUp
          experiment={experiment}
          flag={flag}
          environment={environment}
          step={step}
          go={(next) => go(next ? { panel: next } : {})}
        />
      )}
      {panel === 'edit' && !isDraft && environment && (
        <EditExperiment experiment={experiment} flag={flag} environment={environment} onClose={close} />
      )}
      {panel === 'publish' && (
        <PublishExperiment experiment={experiment} place={environment?.name ?? 'its environment'} onClose={close} />
      )}
    </Suspense>
  )
}

interface BeforeLaunchProps {
  experiment: Experiment
  flag: Flag
  environment: Environment
  go: ((step: string) => void) | undefined
}

function BeforeLaunch({ experiment, flag, environment, go }: BeforeLaunchProps) {
  const { metricOf, ...readiness } = useReadiness(experiment, flag, environment)
  return (
    <Section title="Before the launch">
      <Text>{paragraphOf(experiment, { place: environment.name, flag: flag.name, metricOf })}</Text>
      <LaunchChecklist {...{ experiment, flag, environment, readiness, go }} />
    </Section>
  )
}
