import type { ChangeSet } from './change-set.ts'
import type { Design } from './design.ts'

/** Two changes to begin with, on the first page of the experiment. */
export function exampleOf({ pages }: Pick<Design, 'pages'>): ChangeSet {
  const page = pages[0]?.key ?? null
  return {
    changes: [
      { id: 'headline', page, type: 'TEXT', selector: 'h1', value: 'From € 9 a month', was: null },
      { id: 'button', page, type: 'STYLE', selector: 'a.cta', value: { 'background-color': '#0055ff' }, was: null },
    ],
    css: null,
  }
}
