import type { Page } from '@playwright/test'

/** A change as the API takes it, without id and page. */
export type SiteChange = { selector: string } & (
  | { type: 'TEXT'; value: string }
  | { type: 'STYLE'; value: Record<string, string> }
  | { type: 'HIDE' }
  | { type: 'IMAGE'; value: string; alt: null }
  | { type: 'INSERT'; value: string; position: 'AFTER' }
  | { type: 'MOVE'; to: string; position: 'BEFORE' | 'AFTER' }
)

export interface ForeignSite {
  /** The folder in its package, with the name of the package before it, or the folder of what was built. */
  folder: string
  /** It was built, so that the tag is in its pages as the guide puts it there. */
  isBuilt?: true
  /** Its first page, in the folder. Default: index.html. */
  index?: string
  changes: SiteChange[]
  /** The hash or the path of another place of the site, where no change acts. */
  away: string
  /** What leads there without a load. */
  link?: string
  /** What is there at that place when it is ready. */
  ready?: string
  /** What a visitor does before the page has all that changes concern. */
  act?(page: Page): Promise<unknown>
  /** What a person edits: the element, its text and the new one. */
  edit?: { selector: string; was: string }
  /** Pages around a library without pages, by path. */
  pages?: Record<string, string>
}

export const note = (selector: string): SiteChange => ({
  ...{ type: 'INSERT', selector, position: 'AFTER' },
  value: '<p class="our-note">No card needed</p>',
})
export const text = (selector: string): SiteChange => ({ type: 'TEXT', selector, value: 'From € 9 a month' })
export const style = (selector: string): SiteChange => ({
  ...{ type: 'STYLE', selector },
  value: { 'background-color': 'rgb(0, 85, 255)' },
})
export const hide = (selector: string): SiteChange => ({ type: 'HIDE', selector })
export const move = (selector: string, to: string, position: 'BEFORE' | 'AFTER' = 'AFTER'): SiteChange => ({
  ...{ type: 'MOVE', selector, to, position },
})
const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
export const image = (selector: string): SiteChange => ({ type: 'IMAGE', selector, value: pixel, alt: null })
