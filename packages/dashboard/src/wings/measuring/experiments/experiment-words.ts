import { counted } from '../../../ui/lists.ts'
import type { Experiment } from './experiment.ts'

export type Step = 'launch' | 'pause' | 'resume' | 'complete' | 'archive' | 'unarchive'

interface StepWords {
  verb: string
  /** What a message says afterwards. */
  past: string
  /** What will happen. */
  consequence: (about: { name: string; place: string; original: string }) => string
}

/** Each step of the lifecycle with its verb and what it does. */
export const steps: Record<Step, StepWords> = {
  launch: {
    verb: 'Launch',
    past: 'launched',
    consequence: ({ name, place }) =>
      `Visitors in ${place} get the variations of ${name} from now on, and are counted. Nothing else of the flag is published.`,
  },
  pause: {
    verb: 'Pause',
    past: 'paused',
    consequence: ({ place, original }) =>
      `Every visitor of the test in ${place} gets what the rules below it say, or ${original}. Results stay, and nobody new is counted.`,
  },
  resume: {
    verb: 'Resume',
    past: 'resumed',
    consequence: ({ place }) => `Visitors in ${place} get the variations again, each the same as before.`,
  },
  complete: {
    verb: 'Complete',
    past: 'completed',
    consequence: ({ place, original }) =>
      `The test in ${place} ends for good: visitors get what the rules below it say, or ${original}. Its results stay. To test again, duplicate it.`,
  },
  archive: {
    verb: 'Archive',
    past: 'archived',
    consequence: ({ name }) => `${name} leaves the list. Its results stay, and you can bring it back.`,
  },
  unarchive: { verb: 'Bring back', past: 'brought back', consequence: ({ name }) => `${name} is in the list again.` },
}

/** What the declaration of a winner does. */
export const winnerWords = {
  consequence: ({ winner, place, rollOut }: { winner: string; place: string; rollOut: boolean }): string =>
    rollOut
      ? `The test ends for good. A rule of ${winner} takes its place in ${place}, live at once: nobody gets the default in between. Other unpublished changes of the flag wait.`
      : `The test ends for good, and its results stay. Visitors in ${place} get what the rules below it say until you change them.`,
  past: (winner: string, rollOut: boolean): string =>
    rollOut ? `${winner} won, and visitors get it now.` : `${winner} declared the winner.`,
}

/** A winner can be declared again until the experiment is archived. */
export const canHaveWinner = ({ status, launchedAt }: Pick<Experiment, 'status' | 'launchedAt'>): boolean =>
  launchedAt !== null && status !== 'ARCHIVED'

/** The steps that a person can take now, the likeliest first. */
export const stepsOf: Record<Experiment['status'], readonly Step[]> = {
  DRAFT: ['launch', 'archive'],
  RUNNING: ['pause', 'complete'],
  PAUSED: ['resume', 'complete', 'archive'],
  COMPLETED: ['archive'],
  ARCHIVED: ['unarchive'],
}

export type PausingCheck = keyof Experiment['autoPause']

/** The checks that can pause an experiment, as people read them. */
export const pausingChecks: readonly { check: PausingCheck; label: string }[] = [
  { check: 'srm', label: 'The split of visitors is not the planned one' },
  { check: 'traffic', label: 'Too few visitors arrive, or none' },
  { check: 'guardrailMetric', label: 'A guardrail metric gets worse' },
]

const dayMs = 86_400_000

/** "Day 13", "Ended after 21 days": where an experiment is in its life. */
export function ageOf(
  { status, launchedAt, completedAt }: Pick<Experiment, 'status' | 'launchedAt' | 'completedAt'>,
  now: Date,
): string {
  if (launchedAt === null) return status === 'ARCHIVED' ? 'Never launched' : 'Not launched'
  const days = (until: number) => Math.max(1, Math.ceil((until - Date.parse(launchedAt)) / dayMs))
  if (completedAt !== null) return `Ended after ${counted(days(Date.parse(completedAt)), 'day')}`
  return `Day ${days(now.getTime())}`
}

/** The order of the list: what runs first, what is put away last. */
const order: readonly Experiment['status'][] = ['RUNNING', 'PAUSED', 'DRAFT', 'COMPLETED', 'ARCHIVED']

/** The experiments with this status whose name, hypothesis or tags have the text. Without a status, all but archived ones. */
export function matching(
  experiments: readonly Experiment[],
  { text, status }: { text: string; status: Experiment['status'] | undefined },
): Experiment[] {
  const wanted = text.trim().toLowerCase()
  return experiments
    .filter((each) => (status ? each.status === status : each.status !== 'ARCHIVED'))
    .filter(({ name, hypothesis, tags }) =>
      [name, hypothesis ?? '', ...tags].some((each) => each.toLowerCase().includes(wanted)),
    )
    .sort(
      (one, other) =>
        order.indexOf(one.status) - order.indexOf(other.status) || (one.createdAt < other.createdAt ? 1 : -1),
    )
}
