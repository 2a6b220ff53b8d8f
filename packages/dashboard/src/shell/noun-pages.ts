import { nouns } from '@svc/client'
import type { LinkProps } from '@tanstack/react-router'

type Nouns = typeof nouns
type With<Part> = { [N in keyof Nouns]: Nouns[N] extends Part ? N : never }[keyof Nouns]

/** The nouns that a page shows. */
export type ShownNoun = With<{ page: string }>

/** Those with a page for each of them. */
export type PagedNoun = With<{ page: `${string}/{${string}}` }>

/** Those that the index of a project lists by name. */
export type IndexedNoun = Exclude<With<{ index: string }>, 'flag' | 'environment'>

type RouteOf<N extends ShownNoun> = Nouns[N]['page'] extends OrganizationPage
  ? `/$org/${PageOf<N>}`
  : `/$org/$project/${PageOf<N>}`
type OrganizationPage = `settings/${string}`
type PageOf<N extends ShownNoun> = Nouns[N]['page'] extends `${infer List}/{${string}}`
  ? `${List}/$${N}`
  : Nouns[N]['page']

const pageOf = (noun: ShownNoun): string => nouns[noun].page

/** The page of a noun, which has the noun as a parameter, or the list. A noun without a route does not compile here. */
export function routeOf(noun: ShownNoun): LinkProps['to'] & string {
  const page = pageOf(noun).replace(/\{\w+\}/, `$${noun}`)
  return `/$org/${isInProject(noun) ? '$project/' : ''}${page}` as { [N in ShownNoun]: RouteOf<N> }[ShownNoun]
}

/** Whether its page is below a project. The others are among the settings of the organization. */
export const isInProject = (noun: ShownNoun): boolean => !pageOf(noun).startsWith('settings/')

/** The field that names one of them in the address of its page: `key`. Undefined if only the list shows it. */
export const nameInAddress = (noun: ShownNoun): string | undefined => /\{(\w+)\}/.exec(pageOf(noun))?.[1]

export const indexedNouns = (Object.keys(nouns) as (keyof Nouns)[]).filter(
  (noun): noun is IndexedNoun => 'index' in nouns[noun] && noun !== 'flag' && noun !== 'environment',
)

export const isShown = (noun: keyof Nouns): noun is ShownNoun => 'page' in nouns[noun]
