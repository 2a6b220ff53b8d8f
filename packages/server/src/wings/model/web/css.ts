import type { CssBlock } from '@svc/web'
import type { Change } from './changes.ts'

type Styling = Extract<Change, { type: 'STYLE' | 'HIDE' }>

export const isStyling = (change: Change): change is Styling => change.type === 'STYLE' || change.type === 'HIDE'

/** What a STYLE or HIDE change declares, by property. */
export function declarationsOf(change: Styling): [property: string, value: string][] {
  if (change.type === 'STYLE') return Object.entries(change.value).map(([property, value]) => [property, value.trim()])
  return [change.keepSpace ? ['visibility', 'hidden'] : ['display', 'none']]
}

/**
 * The CSS that a page gets: rules of STYLE and HIDE changes with `!important`, in the order of the changes, then the CSS of
 * the variation. The rules are in a layer, because an important rule of a layer wins over one without, however specific
 * that is: frameworks such as Bootstrap have many of those. Rules of the same page that follow each other share a block.
 */
export function servedCss({ changes, css }: { changes: readonly Change[]; css: string | null }): CssBlock[] {
  const rules = changes.filter(isStyling).map((change) => ({
    page: change.page,
    text: `@layer svc{${change.selector}{${declarationsOf(change)
      .map(([property, value]) => `${property}:${value}!important`)
      .join(';')}}}`,
  }))
  return joined(css === null ? rules : [...rules, { page: null, text: css }], '')
}

/** The same rules for people, who build them in: without `!important`. */
export function plainCss({ changes, css }: { changes: readonly Change[]; css: string | null }): CssBlock[] {
  const rules = changes.filter(isStyling).map((change) => ({
    page: change.page,
    text: `${change.selector} { ${declarationsOf(change)
      .map(([property, value]) => `${property}: ${value}`)
      .join('; ')} }`,
  }))
  return joined(css === null ? rules : [...rules, { page: null, text: css }], '\n')
}

function joined(blocks: readonly CssBlock[], separator: string): CssBlock[] {
  const result: CssBlock[] = []
  for (const { page, text } of blocks) {
    const last = result.at(-1)
    if (last?.page === page) last.text += `${separator}${text}`
    else result.push({ page, text })
  }
  return result
}
