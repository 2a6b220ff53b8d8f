import { compile, type DataFile, type Evaluation, type EvaluationContext } from '@svc/core'
import { takingPart } from '../../../sdk/src/web/taking-part.ts'
import type { ServedChange, ServedExperiment, ServedVariation, WebDocument } from '../document.ts'
import { compileConditions } from './conditions.ts'
import { hidingRule } from './nodes.ts'

/** What an environment serves. */
export interface Content {
  file: DataFile
  web: WebDocument
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

/**
 * Decides what visitors of a page get. Call the result for each page view, and again when the address or an attribute
 * changes: what the visitor has left is undone, and what the visitor has entered is applied.
 *
 * @returns takes the visitor and the page as a context; `isLate` leaves out visitors whom nobody has counted
 */
export function createVisit({ file, web }: Content, effects: Effects) {
  const evaluator = compile(file)
  const conditionOf = compileConditions(file)
  const experiments = web.experiments.map((experiment) => ({
    ...experiment,
    takePart: takingPart(experiment.pages, conditionOf),
  }))

  return (context: EvaluationContext, isLate: boolean): Taken => {
    const taken: Taken = {}
    const changes: ServedChange[] = []
    for (const experiment of experiments) {
      const { on, given } = experiment.takePart(context, () =>
        !isLate && isSupported(experiment) ? evaluator.evaluate(experiment.key, context) : undefined,
      )
      if (given?.reason === 'SPLIT') effects.expose(experiment.key, given, context)
      if (given) taken[experiment.key] = given.variationKey!
      const variation = given && experiment.variations[given.variationKey!]
      effects.setCss(experiment.key, cssOn(variation, on))
      changes.push(...changesOn(variation, on))
    }
    effects.setCss('', changes.some(({ type }) => type === 'HTML') ? hidingRule : '')
    effects.setChanges(changes)
    return taken
  }
}

/** What this engine does not know yet leaves the visitor out, in every arm. */
const isSupported = ({ activation, variations }: ServedExperiment): boolean =>
  activation === 'PAGE' && Object.values(variations).every(({ redirect, code }) => redirect === null && code === null)

const acts = (page: string | null, on: readonly string[]): boolean => page === null || on.includes(page)

const changesOn = (variation: ServedVariation | undefined, on: readonly string[]): ServedChange[] =>
  variation?.changes.filter(({ page }) => acts(page, on)) ?? []

const cssOn = (variation: ServedVariation | undefined, on: readonly string[]): string =>
  variation?.css
    .filter(({ page }) => acts(page, on))
    .map(({ text }) => text)
    .join('\n') ?? ''
