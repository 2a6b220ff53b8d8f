import { type Goal, marked, type ServedChange, type WebDocument } from '@svc/web'
import { canonicalJson } from '../../../canonical-json.ts'
import { codeVersion } from './code.ts'
import { changesSomething, type VariationContent, type WebContent } from './content.ts'
import { isStyling, servedCss } from './css.ts'
import { parseHtml } from './html.ts'
import type { WebSettings } from './settings.ts'

/** An experiment that visitors get. Its variations are by key, and content of the baseline is left out if it has none. */
export interface ServedExperiment extends Omit<WebContent, 'variations'> {
  /** The key of its flag in the data file. */
  key: string
  variations: Record<string, VariationContent>
  /** What the triggers of its metrics tell. Left out if there are none. */
  goals?: readonly Goal[]
}

/** A change that pages do not get, because its HTML breaks a rule that is newer than the change. */
export interface UnreadableChange {
  /** The key of the experiment's flag in the data file. */
  key: string
  variationKey: string
  changeId: string
  fault: string
}

/** What pages get besides the data file. */
export interface MadeDocument {
  content: WebDocument
  /** The same for the same content. */
  text: string
  bytes: number
  unreadable: UnreadableChange[]
}

/** The web document of an environment. */
export function webDocument(content: {
  revision: number
  settings: WebSettings
  experiments: readonly ServedExperiment[]
}): MadeDocument {
  const { revision, settings } = content
  const { consent, pending, honorPrivacySignals: privacy, maxDelayMs, cookieDomain } = settings
  const numbered = codeNumbers(content)
  const unreadable: UnreadableChange[] = []
  const document: WebDocument = {
    schemaVersion: 1,
    revision,
    settings: { consent, pending, privacy, maxDelayMs, cookieDomain },
    experiments: inOrder(content.experiments).map(
      ({ key, activation, activationSelector, applyAt, pages, variations }) => ({
        key,
        activation,
        activationSelector,
        applyAt,
        pages: Object.fromEntries(pages.map((page) => [page.key, page.conditions])),
        variations: Object.fromEntries(
          Object.entries(variations)
            .filter(([, variation]) => changesSomething(variation))
            .map(([variationKey, variation]) => {
              const { changes, faults } = servedChanges(variation)
              unreadable.push(...faults.map((each) => ({ key, variationKey, ...each })))
              const { redirect } = variation
              return [variationKey, { css: servedCss(variation), changes, redirect, code: numbered(variation) }]
            }),
        ),
      }),
    ),
    goals: goalsOf(content.experiments),
  }
  const text = canonicalJson(document)
  return { content: document, text, bytes: Buffer.byteLength(text), unreadable }
}

/** An event has one trigger, and several experiments can measure it. */
function goalsOf(experiments: readonly ServedExperiment[]): Goal[] {
  const goals = new Map(experiments.flatMap(({ goals = [] }) => goals.map((goal) => [goal.eventKey, goal])))
  return [...goals.values()].sort((one, other) => (one.eventKey < other.eventKey ? -1 : 1))
}

/** The code of a variation that visitors get. */
export interface ServedCode {
  /** The key of the experiment's flag in the data file. */
  key: string
  variationKey: string
  js: string
  /** Names this text in what the script tells of its errors. */
  version: string
}

/**
 * The code of all variations in the order of their numbers in the document, for the script, which has one function for
 * each. Empty if the project serves no code.
 */
export function servedCode({
  settings,
  experiments,
}: {
  settings: WebSettings
  experiments: readonly ServedExperiment[]
}): ServedCode[] {
  if (!settings.codeVariations) return []
  return inOrder(experiments).flatMap(({ key, variations }) =>
    Object.keys(variations)
      .sort()
      .flatMap((variationKey) => {
        const { js } = variations[variationKey]!
        return js === null ? [] : [{ key, variationKey, js, version: codeVersion(js) }]
      }),
  )
}

const inOrder = (experiments: readonly ServedExperiment[]): ServedExperiment[] =>
  experiments.toSorted((one, other) => (one.key < other.key ? -1 : 1))

function codeNumbers(content: Parameters<typeof servedCode>[0]): (variation: VariationContent) => number | null {
  const numbers = new Map<VariationContent, number>()
  const variations = new Map(content.experiments.map((experiment) => [experiment.key, experiment.variations]))
  for (const [number, { key, variationKey }] of servedCode(content).entries())
    numbers.set(variations.get(key)![variationKey]!, number)
  return (variation) => numbers.get(variation) ?? null
}

/** HTML is checked when it is saved. Later rules may refuse it, and then the rest is served without it. */
function servedChanges(variation: VariationContent) {
  const changes: ServedChange[] = []
  const faults: Pick<UnreadableChange, 'changeId' | 'fault'>[] = []
  for (const change of variation.changes) {
    if (isStyling(change)) continue
    const { id: changeId, was: _was, ...rest } = change
    const served = marked(rest)
    if (served.type !== 'HTML' && served.type !== 'INSERT') {
      changes.push(served)
      continue
    }
    const read = parseHtml(served.value)
    if ('faults' in read) faults.push({ changeId, fault: read.faults[0]! })
    else changes.push({ ...served, value: read.nodes })
  }
  return { changes, faults }
}
