import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { onlyIf, useDone, type Versioned } from '../../../versioned.ts'
import { type Flag, refreshFlag } from '../../flags/flags/flag-queries.ts'
import { type Experiment, listPath, onePath } from './experiment.ts'
import { type Step, steps, stepsOf, winnerOffer } from './experiment-words.ts'
import { useStart } from './start.ts'

const DeclareWinner = lazy(async () => ({ default: (await import('./declare-winner.tsx')).DeclareWinner }))

const DuplicateExperiment = lazy(async () => ({
  default: (await import('./duplicate-experiment.tsx')).DuplicateExperiment,
}))

// Its code is mostly that of menus.
const MoreActions = lazy(async () => ({ default: (await import('./more-actions.tsx')).MoreActions }))

interface LifecycleProps {
  experiment: Versioned<Experiment>
  flag: Flag
  /** The environment; undefined if it is gone. */
  environment: Environment | undefined
  /** Asks for the launch at once, as the address says. */
  isLaunching: boolean
  /** Called when nothing is asked any more. */
  onAsked: () => void
}

/**
 * What can be done with an experiment now. Each step says first what it will do. The buttons change their place with the
 * width of the window, so what they open is apart from them.
 */
export function useLifecycle({ experiment, flag, environment, isLaunching, onAsked }: LifecycleProps): {
  buttons: ReactNode[]
  dialog: ReactNode
} {
  const { content, etag } = experiment
  const place = environment?.name ?? 'its environment'
  const start = useStart(content, flag, environment)
  const [chosen, setAsked] = useState<Step | 'delete' | 'winner' | 'duplicate'>()
  const asked = chosen ?? (isLaunching && content.status === 'DRAFT' ? 'launch' : undefined)
  const close = () => {
    setAsked(undefined)
    onAsked()
  }
  const { params } = usePlace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const done = useDone()
  const path = { projectId: content.projectId, experimentId: content.id }
  const take = async (step: Step) => {
    if (isStart(step) && start.runs) await start.run()
    // A launch takes the draft live, so it must be the one that is shown.
    const header = { ...onlyOnce(), ...(step === 'launch' && onlyIf(etag)) }
    const { data } = await api.POST(`${onePath}/${step}`, { params: { path, header } })
    await refreshFlag(client)
    // The checklist has told most of them, but it knows the rules of the draft only.
    const warnings = data && 'warnings' in data.data ? data.data.warnings.map(({ message }) => message) : []
    const told = [`${content.name} ${steps[step].past}.`, ...warnings].join(' ')
    await done(told, listPath, onePath, `${onePath}/results`)
  }
  const remove = async () => {
    await api.DELETE(onePath, { params: { path, header: onlyIf(etag) } })
    await navigate({ to: '/$org/$project/experiments', params })
    await done(`${content.name} deleted.`, listPath)
  }
  const original = content.variations.find(({ key }) => key === content.baselineVariationKey)?.name ?? 'the default'
  const offer = winnerOffer(content)
  const [first, ...others] = stepsOf[content.status]
  const canDelete = content.status === 'DRAFT' || content.status === 'ARCHIVED'
  const buttons = [
    canDelete && (
      <Button key="delete" variant="default" onClick={() => setAsked('delete')}>
        Delete…
      </Button>
    ),
    isOver(content) && (
      <Button key="duplicate" variant="default" onClick={() => setAsked('duplicate')}>
        Duplicate experiment…
      </Button>
    ),
    ...others.map((step) => (
      <Button key={step} variant="default" onClick={() => setAsked(step)}>
        {steps[step].verb}…
      </Button>
    )),
    (offer === 'warned' || !isOver(content)) && (
      <Suspense key="more">
        <MoreActions
          declareWinner={offer === 'warned' ? () => setAsked('winner') : undefined}
          duplicate={isOver(content) ? undefined : () => setAsked('duplicate')}
        />
      </Suspense>
    ),
    first && (
      <Button key={first} variant={offer === 'advised' ? 'default' : 'filled'} onClick={() => setAsked(first)}>
        {steps[first].verb}…
      </Button>
    ),
    offer === 'advised' && (
      <Button key="winner" onClick={() => setAsked('winner')}>
        Declare winner…
      </Button>
    ),
  ]
  const dialog = (
    <>
      {asked === 'delete' && (
        <ConfirmDialog
          title={`Delete ${content.name}`}
          verb="Delete experiment"
          isDangerous
          act={remove}
          onClose={close}
        >
          The experiment is gone for good.{' '}
          {content.completedAt !== null
            ? 'Its rule leaves the flag at once.'
            : `Its rule leaves the flag ${content.launchedAt === null ? 'at once' : 'with the next publish'}. A rule that is older than the experiment stays, as a plain A/B test.`}
        </ConfirmDialog>
      )}
      {asked === 'winner' && (
        <Suspense>
          <DeclareWinner experiment={experiment} place={place} isWarned={offer !== 'advised'} onClose={close} />
        </Suspense>
      )}
      {asked === 'duplicate' && (
        <Suspense>
          <DuplicateExperiment experiment={content} onClose={close} />
        </Suspense>
      )}
      {asked && asked !== 'delete' && asked !== 'winner' && asked !== 'duplicate' && (
        <ConfirmDialog
          title={`${steps[asked].verb} ${content.name}`}
          verb={
            isStart(asked) && start.runs ? `Run the flag and ${steps[asked].verb.toLowerCase()}` : steps[asked].verb
          }
          refused={isStart(asked) ? start.refused : undefined}
          isDangerous={asked === 'complete'}
          act={() => take(asked)}
          onClose={close}
        >
          {steps[asked].consequence({ name: content.name, place, original })}
          {isStart(asked) && start.words && <p>{start.words}</p>}
        </ConfirmDialog>
      )}
    </>
  )
  return { buttons, dialog }
}

const isStart = (step: Step) => step === 'launch' || step === 'resume'

const isOver = ({ completedAt, status }: Experiment) => completedAt !== null || status === 'ARCHIVED'
