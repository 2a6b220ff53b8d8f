import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import type { Environment } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../../flags/flags/flag-queries.ts'
import { DeleteExperiment } from './delete-experiment.tsx'
import { type Experiment, listPath, onePath } from './experiment.ts'
import { type Step, steps, stepsOf, webConsequences, winnerOffer } from './experiment-words.ts'
import { useStart } from './start.ts'

const DeclareWinner = lazy(async () => ({ default: (await import('./declare-winner.tsx')).DeclareWinner }))

const DuplicateExperiment = lazy(async () => ({
  default: (await import('./duplicate-experiment.tsx')).DuplicateExperiment,
}))

// Its code is mostly that of menus.
const MoreActions = lazy(async () => ({ default: (await import('./more-actions.tsx')).MoreActions }))

interface LifecycleProps {
  experiment: Versioned<Experiment>
  /** The environment; undefined if it is gone. */
  environment: Environment | undefined
  /** Asks for the launch at once, as the address says. */
  isLaunching: boolean
  /** Called when the question is closed. */
  onAsked: () => void
}

/**
 * What can be done with an experiment now. Each step says first what it will do. The buttons change their place with the
 * width of the window, so what they open is apart from them.
 */
export function useLifecycle({ flag, ...props }: LifecycleProps & { flag: Flag }): LifecycleParts {
  // Read before it is asked, so that the question is complete at once.
  const start = useStart(props.experiment.content, flag, props.environment)
  return useQuestions(props, start)
}

/** The same for a web experiment, which serves at once. */
export const useWebLifecycle = (props: LifecycleProps): LifecycleParts =>
  useQuestions(props, { runs: false, run: () => Promise.resolve() })

interface LifecycleParts {
  buttons: ReactNode[]
  dialog: ReactNode
}

function useQuestions(
  { experiment, environment, isLaunching, onAsked }: LifecycleProps,
  start: ReturnType<typeof useStart>,
): LifecycleParts {
  const { content } = experiment
  const [chosen, setAsked] = useState<Asked>()
  const asked = chosen ?? (isLaunching && content.status === 'DRAFT' ? 'launch' : undefined)
  const close = () => {
    setAsked(undefined)
    onAsked()
  }
  const question = { experiment, place: environment?.name ?? 'its environment', start, onClose: close }
  return { buttons: buttonsOf(content, setAsked), dialog: asked && <Question {...question} asked={asked} /> }
}

type Asked = Step | 'delete' | 'winner' | 'duplicate'

/** The steps that lead on. Their button has the accent of the page. */
const onward: ReadonlySet<Step> = new Set(['launch', 'resume'])

function buttonsOf(content: Experiment, ask: (what: Asked) => void): ReactNode[] {
  const offer = winnerOffer(content)
  const [first, ...others] = stepsOf[content.status]
  const canDelete = content.status === 'DRAFT' || content.status === 'ARCHIVED'
  return [
    canDelete && (
      <Button key="delete" variant="default" onClick={() => ask('delete')}>
        Delete…
      </Button>
    ),
    isOver(content) && (
      <Button key="duplicate" variant="default" onClick={() => ask('duplicate')}>
        Duplicate experiment…
      </Button>
    ),
    ...others.map((step) => (
      <Button key={step} variant="default" onClick={() => ask(step)}>
        {steps[step].verb}…
      </Button>
    )),
    (offer === 'warned' || !isOver(content)) && (
      <Suspense key="more">
        <MoreActions
          declareWinner={offer === 'warned' ? () => ask('winner') : undefined}
          duplicate={isOver(content) ? undefined : () => ask('duplicate')}
        />
      </Suspense>
    ),
    first && (
      <Button
        key={first}
        variant={onward.has(first) && offer !== 'advised' ? 'filled' : 'default'}
        onClick={() => ask(first)}
      >
        {steps[first].verb}…
      </Button>
    ),
    offer === 'advised' && (
      <Button key="winner" onClick={() => ask('winner')}>
        Declare winner…
      </Button>
    ),
  ]
}

interface QuestionProps {
  experiment: Versioned<Experiment>
  /** The name of the environment. */
  place: string
  start: ReturnType<typeof useStart>
  onClose: () => void
}

/** What a button has opened. */
function Question({ asked, ...props }: QuestionProps & { asked: Asked }) {
  const { experiment, place, onClose } = props
  const { content } = experiment
  if (asked === 'delete')
    return (
      <DeleteExperiment experiment={experiment} onClose={onClose}>
        The experiment is gone for good. {afterDeletion(content)}
      </DeleteExperiment>
    )
  if (asked === 'winner')
    return (
      <Suspense>
        <DeclareWinner
          experiment={experiment}
          place={place}
          isWarned={winnerOffer(content) !== 'advised'}
          onClose={onClose}
        />
      </Suspense>
    )
  if (asked === 'duplicate')
    return (
      <Suspense>
        <DuplicateExperiment experiment={content} onClose={onClose} />
      </Suspense>
    )
  return <TakeStep {...props} step={asked} />
}

/** What a deletion does to the rule of the experiment. */
function afterDeletion({ completedAt, launchedAt, flagId }: Experiment): string {
  if (flagId === null) return 'So are its changes and its results.'
  if (completedAt !== null) return 'Its rule leaves the flag at once.'
  return `Its rule leaves the flag ${launchedAt === null ? 'at once' : 'with the next publish'}. A rule that is older than the experiment stays, as a plain A/B test.`
}

function TakeStep({ experiment, place, start, step, onClose }: QuestionProps & { step: Step }) {
  const { content, etag } = experiment
  const client = useQueryClient()
  const done = useDone()
  const { verb, past, consequence } = steps[step]
  const take = async () => {
    if (isStart(step) && start.runs) await start.run()
    const path = { projectId: content.projectId, experimentId: content.id }
    // A launch takes the draft live, so it must be the one that is shown.
    const header = { ...onlyOnce(), ...(step === 'launch' && onlyIf(etag)) }
    const { data } = await api.POST(`${onePath}/${step}`, { params: { path, header } })
    await refreshFlag(client)
    // The checklist has shown most of them, but it knows the rules of the draft only.
    const warnings = data && 'warnings' in data.data ? data.data.warnings.map(({ message }) => message) : []
    await done([`${content.name} ${past}.`, ...warnings].join(' '), listPath, onePath, `${onePath}/results`)
  }
  const original = content.variations.find(({ key }) => key === content.baselineVariationKey)?.name ?? 'the default'
  return (
    <ConfirmDialog
      title={`${verb} ${content.name}`}
      verb={isStart(step) && start.runs ? `Run the flag and ${verb.toLowerCase()}` : verb}
      refused={isStart(step) ? start.refused : undefined}
      isDangerous={step === 'complete'}
      act={take}
      onClose={onClose}
    >
      {content.flagId === null ? webConsequences[step] : consequence({ name: content.name, place, original })}
      {isStart(step) && start.words && <p>{start.words}</p>}
    </ConfirmDialog>
  )
}

const isStart = (step: Step) => step === 'launch' || step === 'resume'

const isOver = ({ completedAt, status }: Experiment) => completedAt !== null || status === 'ARCHIVED'
