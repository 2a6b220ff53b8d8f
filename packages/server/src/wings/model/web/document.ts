import type { HtmlNode, ServedChange, ServedVariation, WebDocument } from '@svc/web'
import { canonicalJson } from '../../../canonical-json.ts'
import type { Change } from './changes.ts'
import { changesSomething, type VariationContent, type WebContent } from './content.ts'
import { isStyling, servedCss } from './css.ts'
import { parseHtml } from './html.ts'
import type { WebSettings } from './settings.ts'

/** An experiment that visitors get. Its variations are by key, and content of the baseline is left out if it has none. */
export interface ServedExperiment extends Omit<WebContent, 'variations'> {
  /** The key of its flag in the data file. */
  key: string
  variations: Record<string, VariationContent>
}

/** The web document of an environment: its text, which is the same for the same content, and its size in bytes. */
export function webDocument(content: {
  revision: number
  settings: WebSettings
  experiments: readonly ServedExperiment[]
}): { text: string; bytes: number } {
  const { revision, settings } = content
  const { consent, pending, honorPrivacySignals: privacy, maxDelayMs, cookieDomain } = settings
  const numbered = codeNumbers(content)
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
            .map(([name, variation]) => [name, servedVariation(variation, numbered(variation))]),
        ),
      }),
    ),
    goals: [],
  }
  const text = canonicalJson(document)
  return { text, bytes: Buffer.byteLength(text) }
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
}): { key: string; variationKey: string; js: string }[] {
  if (!settings.codeVariations) return []
  return inOrder(experiments).flatMap(({ key, variations }) =>
    Object.keys(variations)
      .sort()
      .flatMap((variationKey) => {
        const { js } = variations[variationKey]!
        return js === null ? [] : [{ key, variationKey, js }]
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

const servedVariation = (variation: VariationContent, code: number | null): ServedVariation => ({
  css: servedCss(variation),
  changes: variation.changes.flatMap((change) => (isStyling(change) ? [] : [servedChange(change)])),
  redirect: variation.redirect,
  code,
})

function servedChange(change: Exclude<Change, { type: 'STYLE' | 'HIDE' }>): ServedChange {
  const { id: _id, was: _was, ...served } = change
  return served.type === 'HTML' || served.type === 'INSERT' ? { ...served, value: treeOf(served.value) } : served
}

/** HTML is checked when it is saved. */
function treeOf(html: string): HtmlNode[] {
  const read = parseHtml(html)
  if ('faults' in read) throw new Error(`saved HTML cannot be read: ${read.faults[0]}`)
  return read.nodes
}
