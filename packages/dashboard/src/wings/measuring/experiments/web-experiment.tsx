import { Button, List, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { LastChange, useIsDeleted } from '../../../shell/deleted.tsx'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import { Status } from '../../../ui/status/status-badge.tsx'
import { useNow } from '../../../ui/time/time.tsx'
import { percentText, whole } from '../../../ui/words/percent.ts'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { TestResults } from '../results/results-page.tsx'
import { DeleteExperiment } from './delete-experiment.tsx'
import { type Experiment, listPath, onePath, useMayTest } from './experiment.ts'
import { ageOf, type Step, steps, stepsOf } from './experiment-words.ts'

/** A web experiment: where it is in its life, its results, and what it tests. */
export function WebExperiment({ experiment }: { experiment: Versioned<Experiment> }) {
  const { content } = experiment
  const { environments } = usePlace()
  const mayEdit = useMayTest()
  const isDeleted = useIsDeleted()
  const [asked, setAsked] = useState<Step | 'delete'>()
  const environment = environments.find(({ id }) => id === content.envId)
  const place = environment?.name ?? 'its environment'
  const close = () => setAsked(undefined)
  return (
    <Page
      title={content.name}
      description={<About experiment={content} place={place} />}
      actions={mayEdit && !isDeleted && <Actions experiment={content} ask={setAsked} />}
    >
      {!mayEdit && <OnlyFor>You can look at this experiment. Editors and admins can change it.</OnlyFor>}
      <LastChange kind="experiment" id={content.id} />
      {content.hasStagedChanges && <Unpublished environment={environment} />}
      {content.hypothesis && <Text size="lg">{content.hypothesis}</Text>}
      {content.launchedAt !== null && <Results experiment={content} environment={environment} />}
      <Variations experiment={content} />
      {asked === 'delete' && (
        <DeleteExperiment experiment={experiment} onClose={close}>
          The experiment is gone for good.
        </DeleteExperiment>
      )}
      {asked !== undefined && asked !== 'delete' && (
        <TakeStep experiment={experiment} step={asked} place={place} onClose={close} />
      )}
    </Page>
  )
}

function About({ experiment, place }: { experiment: Experiment; place: string }) {
  const now = useNow()
  return (
    <>
      <Status of="experiment" value={experiment.status} /> {ageOf(experiment, now)}, in {place}. Programs and exposures
      call it x{experiment.shortId}.
    </>
  )
}

function Unpublished({ environment }: { environment: Environment | undefined }) {
  const { params } = usePlace()
  return (
    <Notice
      tone="unpublished"
      title="Some changes are not published"
      actions={
        <TextLink
          to="/$org/$project/environments/$environment/publish"
          params={{ ...params, environment: environment?.key ?? '' }}
        >
          Review and publish
        </TextLink>
      }
    >
      Visitors still get what was published last.
    </Notice>
  )
}

function Actions({ experiment, ask }: { experiment: Experiment; ask: (what: Step | 'delete') => void }) {
  const { status } = experiment
  const [first, ...others] = stepsOf[status]
  return (
    <>
      {(status === 'DRAFT' || status === 'ARCHIVED') && (
        <Button variant="default" onClick={() => ask('delete')}>
          Delete…
        </Button>
      )}
      {others.map((step) => (
        <Button key={step} variant="default" onClick={() => ask(step)}>
          {steps[step].verb}…
        </Button>
      ))}
      {first && <Button onClick={() => ask(first)}>{steps[first].verb}…</Button>}
    </>
  )
}

function Results({ experiment, environment }: { experiment: Experiment; environment: Environment | undefined }) {
  const { id, projectId, variations, winner } = experiment
  const chosen = winner && variations.find(({ key }) => key === winner.variationKey)
  return (
    <TestResults
      flag={experiment}
      which={{ projectId, experimentId: id }}
      envKey={environment?.key ?? ''}
      winner={
        winner && chosen ? { variationId: chosen.id, by: winner.declaredBy.name, at: winner.declaredAt } : undefined
      }
    />
  )
}

function Variations({ experiment }: { experiment: Experiment }) {
  const { variations, baselineVariationKey, trafficAllocation } = experiment
  return (
    <Section
      title="What is tested"
      description={`${trafficAllocation === whole ? 'All' : `${percentText(trafficAllocation)} % of the`} visitors whom the experiment is for take part. Everyone else gets the baseline.`}
    >
      <List size="sm">
        {variations.map(({ id, key, name, weight }) => (
          <List.Item key={id}>
            {name} ({key}): {percentText(weight)} %{key === baselineVariationKey && ', the baseline'}
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

interface QuestionProps {
  experiment: Versioned<Experiment>
  onClose: () => void
}

/** What each step does to visitors. */
const consequences: Record<Step, string> = {
  launch: 'Visitors get the variations from now on, and are counted.',
  pause: 'Every visitor gets the original. Results stay, and new visitors are not counted.',
  resume: 'Visitors get the variations again, each the same as before.',
  complete: 'The test ends for good: every visitor gets the original. Its results stay.',
  archive: 'The experiment leaves the list, and a winner that was rolled out is no longer served. Its results stay.',
  unarchive: 'The experiment is in the list again. A winner that was rolled out is served again.',
}

function TakeStep({ experiment, step, place, onClose }: QuestionProps & { step: Step; place: string }) {
  const { content, etag } = experiment
  const done = useDone()
  const { verb, past } = steps[step]
  const take = async () => {
    const path = { projectId: content.projectId, experimentId: content.id }
    // A launch serves the draft, so it must be the one that is shown.
    const header = { ...onlyOnce(), ...(step === 'launch' && onlyIf(etag)) }
    const { data } = await api.POST(`${onePath}/${step}`, { params: { path, header } })
    const warnings = data!.data.warnings.map(({ message }) => message)
    await done([`${content.name} ${past}.`, ...warnings].join(' '), listPath, onePath, `${onePath}/results`)
  }
  return (
    <ConfirmDialog
      title={`${verb} ${content.name} in ${place}`}
      verb={verb}
      isDangerous={step === 'complete'}
      act={take}
      onClose={onClose}
    >
      {consequences[step]}
    </ConfirmDialog>
  )
}
