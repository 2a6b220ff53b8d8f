import { marked, type Previewed, type ServedChange } from '@svc/web/messages'
import type { Change, ChangeOf, Draft } from './draft.ts'
import { isSafe, nodesOf } from './html.ts'

/**
 * A draft as the page shows it: what the service makes of it for visitors, without the changes of other pages.
 *
 * @param pages the keys of the pages of the experiment that the address is; null if that is unknown, and then all act
 */
export function previewOf(
  { changes, css }: Draft,
  pages: readonly string[] | null,
): { changes: Previewed[]; css: string } {
  const acting = changes.filter(({ page }) => page === null || pages === null || pages.includes(page))
  const rules = acting.filter(isStyling).map(ruleOf)
  return {
    changes: acting.map((change) => ({ id: change.id, selector: change.selector, served: servedOf(change) })),
    css: [...rules, ...(css === null ? [] : [css])].join('\n'),
  }
}

type Styling = ChangeOf<'STYLE' | 'HIDE'>
const isStyling = (change: Change): change is Styling => change.type === 'STYLE' || change.type === 'HIDE'

function ruleOf(change: Styling): string {
  const declared: [string, string][] =
    change.type === 'STYLE'
      ? Object.entries(change.value)
      : [change.keepSpace ? ['visibility', 'hidden'] : ['display', 'none']]
  const rules = declared
    // The service refuses these. Here they would end the rule.
    .filter(([property, value]) => !/[{};]/.test(property + value))
    .map(([property, value]) => `${property}:${value.trim()}!important`)
  return /[{}]/.test(change.selector) ? '' : `@layer svc{${change.selector}{${rules.join(';')}}}`
}

/** Null for CSS, and for what the service would refuse because it loads or runs something. */
function servedOf(change: Change): ServedChange | null {
  if (isStyling(change)) return null
  const { id: _id, was: _was, ...rest } = change
  const served = marked(rest)
  if (served.type === 'ATTRIBUTE' && !isSafe(served.name, served.value ?? '')) return null
  if (served.type !== 'HTML' && served.type !== 'INSERT') return served
  const value = nodesOf(served.value)
  return value ? { ...served, value } : null
}
