import { noContent, plainContent, type VariationContent } from '../web/index.ts'
import { variationPath, webOf, webPrefix } from './difference.ts'
import { listWithout } from './list-without.ts'
import type { Version } from './version.ts'

/** What a web experiment does to pages without some of its differences, whose paths are those of `differences`. */
export function webWithout({ live, draft }: Readonly<{ live: Version; draft: Version }>, paths: ReadonlySet<string>) {
  const [before, after] = [webOf(live), webOf(draft)]
  const kept = (field: string) => (paths.has(`${webPrefix}${field}`) ? before : after)
  const pages = membersWithout(
    {
      live: before.pages.map((page) => ({ ...page, id: page.key })),
      draft: after.pages.map((page) => ({ ...page, id: page.key })),
    },
    paths,
    { list: `${webPrefix}pages`, order: `${webPrefix}pageOrder` },
  )
  const ids = new Set([...Object.keys(before.variations), ...Object.keys(after.variations)])
  return plainContent({
    pages: pages.map(({ id: _key, ...page }) => page),
    activation: kept('activation').activation,
    activationSelector: kept('activationSelector').activationSelector,
    applyAt: kept('applyAt').applyAt,
    variations: Object.fromEntries(
      [...ids].map((id) => [
        id,
        variationWithout(
          before.variations[id] ?? noContent,
          after.variations[id] ?? noContent,
          paths,
          `${webPrefix}${variationPath(id, live, draft)}.`,
        ),
      ]),
    ),
  })
}

function variationWithout(
  live: VariationContent,
  draft: VariationContent,
  paths: ReadonlySet<string>,
  prefix: string,
): VariationContent {
  const kept = (field: string) => (paths.has(`${prefix}${field}`) ? live : draft)
  const names = { list: `${prefix}changes`, order: `${prefix}changeOrder` }
  return {
    changes: membersWithout({ live: live.changes, draft: draft.changes }, paths, names),
    css: kept('css').css,
    js: kept('js').js,
    redirect: kept('redirect').redirect,
  }
}

/** Members of a list with their fields: each is discarded whole, or some fields of it. */
function membersWithout<Member extends { id: string }>(
  { live, draft }: { live: readonly Member[]; draft: readonly Member[] },
  paths: ReadonlySet<string>,
  { list, order }: { list: string; order: string },
): Member[] {
  const isDiscarded = (id: string) => paths.has(`${list}.${id}`)
  return listWithout({ live, draft }, { isDiscarded, reorders: paths.has(order) }).map((member) => {
    const before = live.find(({ id }) => id === member.id)
    if (!before) return member
    if (isDiscarded(member.id)) return before
    const fields = Object.keys({ ...before, ...member }).filter((field) => paths.has(`${list}.${member.id}.${field}`))
    return { ...member, ...Object.fromEntries(fields.map((field) => [field, before[field as keyof Member]])) }
  })
}
