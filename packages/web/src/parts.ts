import { type DataFile, needsRare } from '@svc/core'
import type { ServedExperiment, WebDocument } from './document.ts'
import { isWaiting } from './hydrating.ts'
import { isRedirecting } from './redirecting.ts'
import { isKeeping, unitsOf } from './tests.ts'

type Needs = (web: WebDocument, file: DataFile) => boolean

const some =
  (holds: (experiment: ServedExperiment) => boolean): Needs =>
  ({ experiments }) =>
    experiments.some(holds)

/** The parts of the engine that only some content needs, in the order in which they act, and what needs them. */
const needs = {
  sticky: (_web, file) => isKeeping(file),
  // Before consent, so that what is told of other units waits for it too.
  units: (_web, file) => unitsOf(file).size > 0,
  consent: ({ settings }) => settings.consent === 'REQUIRED',
  activation: some(({ activation }) => activation !== 'PAGE'),
  goals: ({ goals }) => goals.length > 0,
  redirects: some(isRedirecting),
  hydration: some(isWaiting),
  code: some(({ variations }) => Object.values(variations).some(({ code }) => code !== null)),
} satisfies Record<string, Needs>

type PartName = keyof typeof needs
export const partNames = Object.keys(needs) as PartName[]

/** The texts of which an engine consists: `dist/<name>.iife.js`. */
export type EngineName = 'engine' | 'engine-rare' | 'preview' | PartName
export const engineNames: readonly EngineName[] = ['engine', 'engine-rare', 'preview', ...partNames]

type EngineTexts = Readonly<Record<EngineName, string>>

/**
 * The engine for this content: visitors load what the content uses. All of it is one script, so that a page never makes a
 * second request before its first change.
 */
export function engineFor(texts: EngineTexts, file: DataFile, web: WebDocument): string {
  // Pages use operators that few data files need, too.
  const engine: EngineName = needsRare(file) || needsRare(web) ? 'engine-rare' : 'engine'
  return joined(texts, engine, file, web)
}

/** The engine of a preview, which counts and sends nothing. Its size matters less, so there is one for all content. */
export const previewEngineFor = (texts: EngineTexts, file: DataFile, web: WebDocument): string =>
  joined(texts, 'preview', file, web)

const joined = (texts: EngineTexts, engine: EngineName, file: DataFile, web: WebDocument): string =>
  [...partNames.filter((name) => needs[name](web, file)), engine].map((name) => texts[name]).join('')
