import {
  type Condition,
  compile,
  type DataFile,
  type Evaluation,
  type EvaluationContext,
  type Keep,
  type Predicate,
} from '@svc/core'
import { takingPart } from '../../../sdk/src/web/taking-part.ts'
import type { ServedChange, ServedExperiment, WebDocument } from '../document.ts'
import { compileConditions } from './conditions.ts'
import { hidingRule } from './nodes.ts'

/** What an environment serves. */
export interface Content {
  file: DataFile
  web: WebDocument
  /** Keeps the variations of sticky experiments. */
  keep?: Keep
}

/** What a visit does to its page. */
export interface Effects {
  /** Replaces the changes of all experiments. */
  setChanges(changes: readonly ServedChange[]): void
  /** Replaces the CSS of one name. */
  setCss(name: string, text: string): void
  /** A visitor has got a variation of a test, at the same moment in every arm. Called again for the same visitor. */
  expose(flagKey: string, found: Evaluation, context: EvaluationContext): void
}

/** Where a visitor takes part, by the key of the experiment: the key of the variation. */
export type Taken = Record<string, string>

/** What a visitor gets of an experiment. */
export interface Given {
  experiment: ServedExperiment
  found: Evaluation
  css: string
  changes: ServedChange[]
  /** Whether the visitor is counted now. Nobody is for what was rolled out. */
  isCounted: boolean
  /** Whether changes wait, so that the code, which comes last, waits too. */
  isHeld?: boolean
}

/** A part of the engine sees what a visitor gets of all experiments before anything is done, and can change it. */
export type Step = (all: Given[], context: EvaluationContext) => Given[]

/** Compiles the conditions of an environment's pages. */
export const conditionsOf = (file: DataFile): ((condition: Condition) => Predicate) => compileConditions(file)

/**
 * Decides what visitors of a page get. Call the result for each page view, and again when the address or an attribute
 * changes: what the visitor has left is undone, and what the visitor has entered is applied.
 *
 * @returns takes the visitor and the page as a context; `isOut` leaves the visitor out of all experiments
 */
export function createVisit(
  {
    file,
    web,
    keep,
    conditionOf,
    setCss,
    setChanges,
    expose,
  }: Content & Effects & { conditionOf: ReturnType<typeof conditionsOf> },
  steps: readonly Step[],
) {
  const evaluator = compile(file, Date.now, keep)
  const experiments = web.experiments.map((experiment) => ({
    experiment,
    takePart: takingPart(experiment.pages, conditionOf),
  }))

  return (context: EvaluationContext, isOut: boolean): Taken => {
    let all = experiments.flatMap(({ experiment, takePart }): Given[] => {
      const { on, given: found } = takePart(context, () =>
        isOut ? undefined : evaluator.evaluate(experiment.key, context),
      )
      if (!found) return []
      const { css = [], changes = [] } = experiment.variations[found.variationKey!] ?? {}
      const acts = ({ page }: { page: string | null }) => page === null || on.includes(page)
      return [
        {
          ...{ experiment, found },
          css: css
            .filter(acts)
            .map(({ text }) => text)
            .join('\n'),
          changes: changes.filter(acts),
          isCounted: found.reason === 'SPLIT',
        },
      ]
    })
    for (const step of steps) all = step(all, context)
    for (const { experiment, found, isCounted } of all) if (isCounted) expose(experiment.key, found, context)
    const changes = all.flatMap((each) => each.changes)
    for (const { experiment } of experiments)
      setCss(experiment.key, all.find((each) => each.experiment === experiment)?.css ?? '')
    setCss('', changes.some(({ type }) => type === 'HTML') ? hidingRule : '')
    setChanges(changes)
    return Object.fromEntries(all.map(({ experiment, found }) => [experiment.key, found.variationKey!]))
  }
}
