import { Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { LastChange, useIsDeleted } from '../../../../shell/deleted.tsx'
import { OnlyFor } from '../../../../shell/only-for.tsx'
import { usePlace } from '../../../../shell/place.ts'
import { EmptyState } from '../../../../ui/layout/empty-state.tsx'
import { Page } from '../../../../ui/layout/page.tsx'
import { Section } from '../../../../ui/layout/section.tsx'
import { ButtonLink } from '../../../../ui/links/links.tsx'
import { Status } from '../../../../ui/status/status-badge.tsx'
import type { Versioned } from '../../../../versioned.ts'
import { type ExperimentOnPages, useMayTest } from '../experiment.ts'
import { ExperimentObject } from '../experiment-object.tsx'
import { WebTabs } from '../web-tabs.tsx'
import { useNamesHere } from './names-here.ts'
import classes from './targeting.module.css'
import { labels, type TargetingValues, valuesOf, wordsOf } from './targeting.ts'

// Most of its code is the builder of conditions.
const Targeting = lazy(async () => ({ default: (await import('./targeting-form.tsx')).Targeting }))
const Tester = lazy(async () => ({ default: (await import('./tester.tsx')).Tester }))

/** Where a web experiment runs, who takes part, and from when on. */
export function TargetingPage() {
  const { experiment } = useParams({ from: '/inside/$org/$project/experiments/$experiment/targeting' })
  return (
    <ExperimentObject wanted={experiment}>
      {(found) => (found.content.type === 'WEB' ? <Shown experiment={found} /> : <OnFlag experiment={found.content} />)}
    </ExperimentObject>
  )
}

function OnFlag({ experiment }: { experiment: ExperimentOnPages }) {
  const { params } = usePlace()
  return (
    <Page title={`Targeting of ${experiment.name}`}>
      <EmptyState
        icon={<IconFlask size={36} />}
        title="This experiment tests a flag"
        action={
          <ButtonLink
            to="/$org/$project/experiments/$experiment"
            params={{ ...params, experiment: String(experiment.shortId) }}
            variant="default"
          >
            Go to the experiment
          </ButtonLink>
        }
      >
        Only an experiment on web pages has pages. Who takes part in this one is a part of its set-up.
      </EmptyState>
    </Page>
  )
}

/** Why nobody can change it any more; undefined while somebody can. */
function whyFixed({ completedAt, archivedAt }: ExperimentOnPages): string | undefined {
  if (archivedAt !== null) return 'The experiment is archived. Unarchive it to change it.'
  return completedAt === null ? undefined : 'The experiment has ended, so what it tested can no longer change.'
}

function Shown({ experiment }: { experiment: Versioned<ExperimentOnPages> }) {
  const { content } = experiment
  const mayEdit = useMayTest()
  const isDeleted = useIsDeleted()
  const fixed = whyFixed(content)
  return (
    <Page
      title={`Targeting of ${content.name}`}
      description={
        <>
          <Status of="experiment" value={content.status} /> Where it runs, who takes part, and from when on.
        </>
      }
    >
      <WebTabs experiment={content} />
      {!mayEdit && <OnlyFor>You can look at this experiment. Editors and admins can change it.</OnlyFor>}
      {mayEdit && fixed !== undefined && <Text size="sm">{fixed}</Text>}
      <LastChange kind="experiment" id={content.id} />
      {mayEdit && !isDeleted && fixed === undefined ? (
        <Suspense>
          <Targeting experiment={experiment} />
        </Suspense>
      ) : (
        <div className={classes.columns}>
          <Facts experiment={content} />
          <div className={classes.tester}>
            <Suspense>
              <Tester experiment={content} isEdited={false} />
            </Suspense>
          </div>
        </div>
      )}
    </Page>
  )
}

/** The targeting in words, for people who cannot change it. */
function Facts({ experiment }: { experiment: ExperimentOnPages }) {
  const values = valuesOf(experiment)
  const names = useNamesHere()
  const fields = (Object.keys(labels) as (keyof TargetingValues)[]).filter(
    (field) => field !== 'activationSelector' || values.activation === 'SEEN',
  )
  return (
    <Section title="Who takes part">
      <dl className={classes.facts}>
        {fields.map((field) => (
          <div key={field}>
            <Text component="dt" size="sm" c="dimmed">
              {labels[field]}
            </Text>
            <Text component="dd" size="sm">
              {wordsOf(field, values[field], names)}
            </Text>
          </div>
        ))}
      </dl>
    </Section>
  )
}
