import { z } from 'zod'
import type { Change } from './changes.ts'
import type { Page } from './pages.ts'
import type { Redirect } from './redirect.ts'
import { selectorField } from './selector.ts'

/** What a variation does to a page. */
export interface VariationContent {
  /** In the order in which they are applied. */
  changes: Change[]
  css: string | null
  js: string | null
  redirect: Redirect | null
}

/** When a visitor is counted: on the page, when an element is seen, or when the page calls `svc.activate`. */
export const activations = ['PAGE', 'SEEN', 'CALL'] as const
export const activationField = z.enum(activations)
export const activationSelectorField = selectorField.nullable()
/** When changes are applied: AUTO waits for a framework that hydrates the page, if there is one. */
export const applyMoments = ['AUTO', 'EARLY', 'HYDRATED'] as const
export const applyAtField = z.enum(applyMoments)

/** What a version of a web experiment holds besides its rule. Variations that change nothing can be left out. */
export interface WebContent {
  pages: Page[]
  activation: (typeof activations)[number]
  /** For `SEEN`: the element. */
  activationSelector: string | null
  applyAt: (typeof applyMoments)[number]
  /** By the id of the variation. */
  variations: Record<string, VariationContent>
}

export const noContent: VariationContent = { changes: [], css: null, js: null, redirect: null }

/** The content of a new web experiment. */
export const firstWebContent: WebContent = {
  pages: [],
  activation: 'PAGE',
  activationSelector: null,
  applyAt: 'AUTO',
  variations: {},
}

/** The content without variations that do nothing, so that equal contents are stored in one form. */
export const plainContent = (web: WebContent): WebContent => ({
  ...web,
  variations: Object.fromEntries(Object.entries(web.variations).filter(([, content]) => changesSomething(content))),
})

/** Whether a variation shows anything else than the original. */
export const changesSomething = ({ changes, css, js, redirect }: VariationContent): boolean =>
  changes.length > 0 || css !== null || js !== null || redirect !== null

/** The rule that `activationSelector` breaks; undefined if it breaks none. */
export function activationSelectorFault({
  activation,
  activationSelector,
}: Pick<WebContent, 'activation' | 'activationSelector'>): string | undefined {
  if (activation === 'SEEN') return activationSelector === null ? 'is required when activation is SEEN.' : undefined
  return activationSelector === null ? undefined : `must be null when activation is ${activation}.`
}
